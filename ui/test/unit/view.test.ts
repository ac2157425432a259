import { describe, expect, it } from 'vitest';
import { clampView, fitView, narrowestNs, panView, seenPart, showEvent, toPixel, toTime, wholeTrace, zoomView } from '../../src/timeline/view';

const duration = 1_000_000;

describe('view', () => {
  it('zooms about a time that keeps its place', () => {
    const view = { start: 1000, end: 2000 };
    const zoomed = zoomView(view, 0.5, 1250, duration);
    expect(zoomed.end - zoomed.start).toBeCloseTo(500);
    expect(toPixel(zoomed, 800, 1250)).toBeCloseTo(toPixel(view, 800, 1250));
    const back = zoomView(zoomed, 2, 1250, duration);
    expect(back.start).toBeCloseTo(1000);
    expect(back.end).toBeCloseTo(2000);
  });

  it('never shows less than the narrowest or more than the trace', () => {
    let view = wholeTrace(duration);
    for (let i = 0; i < 200; i++) view = zoomView(view, 0.5, 5000, duration);
    expect(view.end - view.start).toBeCloseTo(narrowestNs);
    for (let i = 0; i < 200; i++) view = zoomView(view, 2, 5000, duration);
    expect(view).toEqual(wholeTrace(duration));
  });

  it('pans no further than half a view beyond the ends', () => {
    expect(panView({ start: 0, end: 100 }, -1e9, duration)).toEqual({ start: -50, end: 50 });
    expect(panView({ start: 0, end: 100 }, 1e9, duration)).toEqual({ start: duration - 50, end: duration + 50 });
  });

  it('survives a trace of no length', () => {
    const view = wholeTrace(0);
    expect(view.end).toBeGreaterThan(view.start);
    expect(clampView({ start: 5, end: 5 }, 0).end).toBeGreaterThan(clampView({ start: 5, end: 5 }, 0).start);
  });

  it('fits with air', () => {
    const view = fitView(1000, 2000, duration, 0.1);
    expect(view).toEqual({ start: 900, end: 2100 });
  });

  it('brings an event into view and leaves the view alone when it is there', () => {
    const view = { start: 1000, end: 2000 };
    expect(showEvent(view, 1200, 300, duration, 1000)).toBe(view);
    const away = showEvent(view, 500_000, 300, duration, 1000);
    expect((away.start + away.end) / 2).toBeCloseTo(500_150);
    expect(away.end - away.start).toBeCloseTo(1000);
    const tiny = showEvent(wholeTrace(duration), 500_000, 40, duration, 1000);
    expect(tiny.start).toBeLessThan(500_000);
    expect(tiny.end).toBeGreaterThan(500_040);
    expect(40 / (tiny.end - tiny.start)).toBeGreaterThan(0.02);
  });

  it('turns pixels to times and back', () => {
    const view = { start: -20, end: 80 };
    expect(toTime(view, 500, toPixel(view, 500, 33))).toBeCloseTo(33);
  });

  it('has a part that lies in the trace', () => {
    expect(seenPart(wholeTrace(duration), duration)).toEqual({ start: 0, end: duration });
    expect(seenPart({ start: 900_000, end: 1_200_000 }, duration)).toEqual({ start: 900_000, end: duration });
    expect(seenPart({ start: 100, end: 200 }, duration)).toEqual({ start: 100, end: 200 });
  });
});
