/** Loaded before every vitest file: takes down what a test mounted. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
