// Places and texts of the ruler's marks.

export interface Ticks {
  step: number;
  times: number[];
  text: (time: number) => string;
}

const units: [number, string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
  [1, 'ns'],
];

// The smallest of 1, 2, 5 x 10^n that is at least `least`, and at least 1 ns.
export function tickStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= least) return Math.max(1, factor * power);
  return power * 10;
}

export function ticksFor(start: number, end: number, width: number, apart: number): Ticks {
  const step = tickStep(((end - start) * apart) / Math.max(width, 1));
  const times: number[] = [];
  for (let n = Math.ceil(start / step); n * step <= end; n++) times.push(n * step);
  return { step, times, text: tickText(step, Math.max(Math.abs(start), Math.abs(end))) };
}

// All marks in one unit: that of the largest time seen, unless its steps would need more than 6 decimals.
function tickText(step: number, largest: number): (time: number) => string {
  let unit = units.find(([size]) => largest >= size) ?? units[units.length - 1]!;
  for (const finer of units) {
    if (decimalsOf(step / unit[0]) <= 6) break;
    if (finer[0] < unit[0]) unit = finer;
  }
  const decimals = decimalsOf(step / unit[0]);
  return (time) => {
    const [whole, rest] = (time / unit[0]).toFixed(decimals).split('.') as [string, string?];
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    return `${grouped}${rest ? `.${rest}` : ''} ${unit[1]}`.replace(/^-(?=0(?:\.0*)? )/, '');
  };
}

const decimalsOf = (step: number): number => (step >= 1 ? 0 : Math.ceil(-Math.log10(step) - 1e-9));
