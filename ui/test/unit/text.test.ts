import { describe, expect, it } from 'vitest';
import { absoluteTime, parseTimes, traceStart } from '../../src/engine/exact_times';
import { cut, displayText, shortKernelName, kernelLabel } from '../../src/engine/text';
import { formatBytes, formatCount, formatDuration, formatNumber, formatRate, formatShare, splitUnit } from '../../src/engine/units';
import { tickStep, ticksFor } from '../../src/timeline/ticks';

describe('exact times', () => {
  const base = 1790857026123456789n;

  it('keeps every nanosecond of a clock of 1970', () => {
    const text = `{"start_ns": ${base + 1n}, "rows": [{"end_ns":${base + 123456789012n}, "dur_ns": 5}], "bytes": 1790857026123456789}`;
    expect(parseTimes(text, base)).toEqual({ start_ns: 1, rows: [{ end_ns: 123456789012, dur_ns: 5 }], bytes: 1790857026123456789 });
    expect(traceStart(`{"schema":"x","start_ns":${base},"groups":[]}`)).toBe(base);
    expect(absoluteTime(1.4, base)).toBe('1790857026123456790');
  });

  it('is not deceived by names, and takes negative and missing times', () => {
    const name = '\\"start_ns\\": 17';
    expect(parseTimes(`{"name":"${name}","start_ns":-5,"end_ns":null}`, 10n)).toEqual({ name: '"start_ns": 17', start_ns: -15, end_ns: null });
  });
});

describe('units', () => {
  it('are those of the command line', () => {
    const durations: [number, string][] = [
      [0, '0 ns'], [998, '998 ns'], [1000, '1.000 us'], [1984, '1.984 us'], [47_101_234, '47.10 ms'], [1_234_000_000, '1.234 s'],
      [99_994, '99.99 us'], [99_995, '100.0 us'], [999_949, '999.9 us'], [999_950, '1.000 ms'], [3_600_000_000_000, '3600 s'],
      [9_999_500_000_000, '2.778 h'], [8.64e15, '100.0 d'], [-1, '-1 ns'], [-1984, '-1.984 us'],
    ];
    for (const [ns, text] of durations) expect(formatDuration(ns)).toBe(text);
    expect(formatBytes(1536)).toBe('1.536 kB');
    expect(formatBytes(999_960_000)).toBe('1.000 GB');
    expect(formatCount(2775)).toBe('2,775');
    expect(formatShare(0.0436)).toBe('4.4 %');
    expect(formatShare(0.0001)).toBe('<0.1 %');
    expect(formatShare(0.99999)).toBe('>99.9 %');
    expect(formatShare(1)).toBe('100.0 %');
    expect(formatShare(null)).toBe('-');
    expect(formatNumber(0.01234)).toBe('0.01234');
    expect(formatNumber(781.2)).toBe('781.2');
    expect(formatNumber(43_125)).toBe('43,125');
    expect(formatRate(201_274_480_207, 'FLOP/s')).toBe('201.3 GFLOP/s');
    expect(splitUnit('47.10 ms')).toEqual(['47.10', 'ms']);
  });
});

describe('text', () => {
  it('shows what could hide or reorder', () => {
    expect(displayText('a\u202eb\u0000c\nd')).toBe('a\ufffdb\ufffdc d');
    expect(displayText('<b>\u05e9\u{1F680}')).toBe('<b>\u05e9\u{1F680}');
  });

  it('finds the own name of a kernel', () => {
    expect(shortKernelName('void at::native::vectorized_elementwise_kernel<4, at::native::F>(int)')).toBe('vectorized_elementwise_kernel');
    expect(shortKernelName('void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>(int)')).toBe('CatArrayBatchedCopy');
    expect(shortKernelName('nvjet_sm90_hsh')).toBe('nvjet_sm90_hsh');
    expect(shortKernelName('Memcpy HtoD (Pageable -> Device)')).toBe('Memcpy HtoD');
    expect(shortKernelName('<script>')).toBe('<script>');
    expect(shortKernelName('')).toBe('');
  });

  it('cuts between characters', () => {
    expect(cut('abcdef', 4)).toBe('abc\u2026');
    expect(cut('ab\u{1F680}def', 4)).toBe('ab\u2026');
  });
});

describe('ruler', () => {
  it('steps by 1, 2, 5', () => {
    expect([0.3, 1, 3, 7, 12, 2600].map(tickStep)).toEqual([1, 1, 5, 10, 20, 5000]);
  });

  it('names every mark differently', () => {
    for (const [start, end] of [[0, 20], [1_234_567_890, 1_234_567_990], [0, 1e9], [5e12, 5e12 + 1000], [-50, 50]] as const) {
      const ticks = ticksFor(start, end, 1000, 100);
      const texts = ticks.times.map(ticks.text);
      expect(texts.length).toBeGreaterThan(3);
      expect(new Set(texts).size).toBe(texts.length);
    }
  });
});

describe('kernelLabel', () => {
  it('keeps what tells kernels apart', () => {
    expect(kernelLabel('void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<c10::Half, c10::Half>, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)')).toBe('vectorized_elementwise_kernel<4, BinaryFunctor<Half, Half>>');
    expect(kernelLabel('gemm_naive(const float *, float *, int)')).toBe('gemm_naive');
    expect(kernelLabel('nvjet_sm90_hsh_64x8')).toBe('nvjet_sm90_hsh_64x8');
    expect(kernelLabel('Memcpy HtoD (Pageable -> Device)')).toBe('Memcpy HtoD (Pageable -> Device)');
  });
});
