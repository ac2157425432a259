// What of the trace is seen: pure functions. Times are ns from the trace's start, widths are CSS pixels.

export interface View {
  start: number;
  end: number;
}

export const narrowestNs = 20; // a view of less shows nothing more: times are whole nanoseconds
const margin = 0.02; // of the trace, on each side of a view of everything

export function wholeTrace(duration: number): View {
  const around = Math.max(duration, narrowestNs) * margin;
  return { start: -around, end: Math.max(duration, narrowestNs) + around };
}

// The part of a view that lies in the trace: there is air on both sides of it.
export function seenPart(view: View, duration: number): View {
  const start = Math.min(duration, Math.max(0, view.start));
  return { start, end: Math.max(start, Math.min(duration, view.end)) };
}

// Keeps the width where it can, and the view near the trace.
export function clampView(view: View, duration: number): View {
  const most = wholeTrace(duration);
  const width = Math.min(most.end - most.start, Math.max(narrowestNs, view.end - view.start));
  const middle = (view.start + view.end) / 2;
  // Half a view beyond the ends is allowed, so that the first and last event can stand in the middle.
  const start = Math.min(duration - width / 2, Math.max(-width / 2, middle - width / 2));
  if (width >= most.end - most.start) return most;
  return { start, end: start + width };
}

// `at` keeps its place on the screen. A factor above 1 shows more of the trace.
export function zoomView(view: View, factor: number, at: number, duration: number): View {
  const width = view.end - view.start;
  const next = Math.max(narrowestNs, width * factor);
  const scale = next / width;
  return clampView({ start: at - (at - view.start) * scale, end: at + (view.end - at) * scale }, duration);
}

export function panView(view: View, byNs: number, duration: number): View {
  return clampView({ start: view.start + byNs, end: view.end + byNs }, duration);
}

// Everything from start to end with some air around it.
export function fitView(start: number, end: number, duration: number, air = 0.08): View {
  const width = Math.max(end - start, 1);
  return clampView({ start: start - width * air, end: end + width * air }, duration);
}

// An event that is elsewhere is brought into the middle; one that is too small to see is also zoomed to.
export function showEvent(view: View, start: number, duration: number, traceDuration: number, width: number): View {
  const nsPerPixel = (view.end - view.start) / Math.max(width, 1);
  const smallest = 8 * nsPerPixel;
  const end = start + duration;
  if (duration > view.end - view.start) return fitView(start, end, traceDuration);
  if (duration < smallest) {
    const half = Math.max(duration * 12, narrowestNs);
    return clampView({ start: start + duration / 2 - half, end: start + duration / 2 + half }, traceDuration);
  }
  if (start >= view.start && end <= view.end) return view;
  const half = (view.end - view.start) / 2;
  const middle = start + duration / 2;
  return clampView({ start: middle - half, end: middle + half }, traceDuration);
}

export const toPixel = (view: View, width: number, time: number): number => ((time - view.start) / (view.end - view.start)) * width;
export const toTime = (view: View, width: number, x: number): number => view.start + (x / width) * (view.end - view.start);
