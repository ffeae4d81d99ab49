/** An address with one more query parameter. */
export const withParameter = (address: string, name: string, value: string | number): string =>
  `${address}${address.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
