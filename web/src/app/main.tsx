import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root")!).render(<h1>RL LAB // GYM MANAGER</h1>);
