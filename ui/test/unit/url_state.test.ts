import { describe, expect, it } from 'vitest';
import { allRanks, emptyUrlState, formatUrlState, parseUrlState, type UrlState } from '../../src/engine/url_state';

describe('address', () => {
  it('comes back as it was', () => {
    const state: UrlState = {
      trace: 2,
      view: { start_ns: 1200, end_ns: 987_654 },
      event: { kind: 'gpu', row: 12 },
      range: { start_ns: 5, end_ns: 900_000_000_000_001 },
      marks: [7, 8],
      panel: 'kernels',
      flame: 'gpu.split',
      query: 'void f<int>(&) #=% \u{1F680}',
      regex: true,
    };
    expect(parseUrlState(formatUrlState(state))).toEqual(state);
  });

  it('is short when there is nothing to say', () => {
    expect(formatUrlState(emptyUrlState)).toBe('#t=0');
    expect(parseUrlState('')).toEqual(emptyUrlState);
  });

  it('takes what it understands of a broken link', () => {
    expect(parseUrlState('#t=x&v=5,5&e=gpu:-1&r=a,b&m=1,x,2&p=<b>&f=<b>&q=' + 'y'.repeat(5000))).toEqual({
      ...emptyUrlState,
      marks: [1, 2],
      query: 'y'.repeat(1000),
    });
    expect(parseUrlState('#e=disk:1&v=1,2,3').event).toBeNull();
  });

  it('rounds a view to what can be seen', () => {
    expect(formatUrlState({ ...emptyUrlState, view: { start_ns: 1000.123456, end_ns: 2_000_000.9 } })).toBe('#t=0&v=1000,2000001');
    expect(formatUrlState({ ...emptyUrlState, view: { start_ns: 10.5, end_ns: 30.25 } })).toBe('#t=0&v=10.5,30.25');
  });

  it('knows all ranks together, and rows beyond 32 bits', () => {
    expect(parseUrlState('#t=all').trace).toBe(allRanks);
    expect(formatUrlState({ ...emptyUrlState, trace: allRanks })).toBe('#t=all');
    expect(parseUrlState('#t=all&e=gpu:64424509440').event).toEqual({ kind: 'gpu', row: 64424509440 });
    expect(parseUrlState('#e=gpu:99999999999999999').event).toBeNull();
  });
});
