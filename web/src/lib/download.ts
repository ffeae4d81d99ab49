/** Saves what an address answers, as a click on a link with `download` does. */
export function startDownload(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
