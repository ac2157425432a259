// A time of the trace, to the nanosecond.

import { formatNumber } from '../engine/units';

export function formatTime(ns: number): string {
  if (Math.abs(ns) < 1000) return `${formatNumber(ns)} ns`;
  const [size, unit] = Math.abs(ns) >= 1e9 ? [1e9, 's'] : Math.abs(ns) >= 1e6 ? [1e6, 'ms'] : [1e3, 'us'];
  const decimals = size === 1e9 ? 9 : size === 1e6 ? 6 : 3;
  const [whole, rest] = (ns / size).toFixed(decimals).split('.') as [string, string];
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest} ${unit}`;
}
