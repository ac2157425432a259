// Moves absolute times in JSON text to ns from the trace's start.
//
// A clock that counts from 1970 has times of 61 bits, of which JSON.parse would keep 53: 256 ns would be lost. So the digits are
// taken from the text. A key's quotes can't stand inside of a JSON string without a backslash, so the pattern never meets a name.

const absolute = /"(start_ns|end_ns)"\s*:\s*(-?\d+)(?![\d.eE])/g;

export function parseTimes<T>(text: string, base: bigint): T {
  return JSON.parse(text.replace(absolute, (_, key: string, digits: string) => `"${key}":${BigInt(digits) - base}`)) as T;
}

// The first start_ns of the text: that of the trace in the answer to `tracks`.
export function traceStart(text: string): bigint {
  const found = /"start_ns"\s*:\s*(-?\d+)/.exec(text);
  return found ? BigInt(found[1]!) : 0n;
}

// A time of the page, whole, in the trace's clock.
export function absoluteTime(ns: number, base: bigint): string {
  return (BigInt(Math.round(ns)) + base).toString();
}
