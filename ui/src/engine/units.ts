// Human forms of numbers, the same as the command line prints (src/document/units.cc): at most 4 significant digits, never a
// form that lies (something is not shown as nothing: "<0.1 %").

interface Unit {
  size: number;
  limit: number;
  name: string;
}

const durationUnits: Unit[] = [
  { size: 1, limit: 1000, name: 'ns' },
  { size: 1e3, limit: 1000, name: 'us' },
  { size: 1e6, limit: 1000, name: 'ms' },
  { size: 1e9, limit: 10_000, name: 's' },
  { size: 3.6e12, limit: 1000, name: 'h' },
  { size: 8.64e13, limit: Infinity, name: 'd' },
];

const byteUnits: Unit[] = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'].map((name, i) => ({
  size: 10 ** (3 * i),
  limit: i === 6 ? Infinity : 1000,
  name,
}));

const digitsLimit = 10_000;

function inUnits(value: number, units: Unit[]): string {
  const magnitude = Math.abs(Math.round(value));
  const sign = value < 0 && magnitude > 0 ? '-' : '';
  for (const unit of units) {
    for (let decimals = unit.size === 1 ? 0 : 3; decimals >= 0; decimals--) {
      const scale = 10 ** decimals;
      const step = unit.size / scale;
      const rest = magnitude % step;
      const rounded = Math.floor(magnitude / step) + (rest >= step - rest ? 1 : 0);
      const lastResort = unit.limit === Infinity && decimals === 0;
      if (!lastResort && (rounded >= digitsLimit || rounded / scale >= unit.limit)) continue;
      return `${sign}${(rounded / scale).toFixed(decimals)} ${unit.name}`;
    }
  }
  return '';
}

export const formatDuration = (ns: number): string => inUnits(ns, durationUnits);
export const formatBytes = (bytes: number): string => inUnits(bytes, byteUnits);

export function formatCount(count: number): string {
  return group(String(Math.round(count)));
}

export const formatExact = (ns: number): string => `${formatCount(ns)} ns`;

function group(digits: string): string {
  const [whole, rest] = digits.split('.') as [string, string?];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return '-';
  if (share === 0) return '0.0 %';
  if (Math.abs(share - 1) <= 1e-12) return '100.0 %';
  const tenths = Math.sign(share) * Math.round(Math.abs(share) * 1000);
  if (tenths === 0) return share > 0 ? '<0.1 %' : '>-0.1 %';
  if (tenths === 1000) return share < 1 ? '>99.9 %' : '>100.0 %';
  return `${group((tenths / 10).toFixed(1))} %`;
}

export const formatPart = (part: number, whole: number): string =>
  whole <= 0 ? '-' : part === whole ? '100.0 %' : formatShare(part / whole);

export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '-';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return value.toExponential(3).replace(/e([+-])(\d)$/, 'e$10$2');
  const exponent = Math.floor(Math.log10(size));
  let text = value.toFixed(exponent >= 3 ? 0 : 3 - exponent);
  if (text.includes('.')) text = text.replace(/\.?0+$/, '');
  return group(text);
}

const rates = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

// 201.3 GFLOP/s
export function formatRate(perSecond: number, unit: string): string {
  let at = 0;
  let value = perSecond;
  while (value >= 999.95 && at < rates.length - 1) {
    value /= 1000;
    at++;
  }
  return `${formatNumber(value)} ${rates[at]}${unit}`;
}

// The number and the unit of a human form, so that a column can align both.
export function splitUnit(text: string): [string, string] {
  const space = text.lastIndexOf(' ');
  return space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1)];
}
