// Where the texts of marks stand beside their flags: pure, in pixels.

export interface Span {
  left: number;
  wide: number;
}

export interface MarkText extends Span {
  text: string;
}

export interface MarkFlag {
  x: number;
  time: string;
  toNext: string | null; // the distance
}

export const flagReach = 6; // half a flag, and air
const air = 8;

const meet = (a: Span, b: Span, apart: number): boolean => a.left < b.left + b.wide + apart && b.left < a.left + a.wide + apart;

// Left to right. A time stands right of its flag, or left where the next mark leaves no room; between two marks stands their distance when there
// is room beside the times.
export function markTexts(marks: MarkFlag[], width: number, measure: (text: string) => number): MarkText[] {
  const texts: MarkText[] = [];
  const flags = marks.map(({ x }) => ({ left: x - flagReach, wide: 2 * flagReach }));
  const fits = (span: Span): boolean => span.left >= 0 && span.left + span.wide <= width && !flags.some((flag) => meet(flag, span, 0)) && !texts.some((one) => meet(one, span, air));
  for (const { x, time } of marks) {
    if (x < 0 || x > width) continue;
    const wide = measure(time);
    const left = [x + flagReach, x - flagReach - wide].find((at) => fits({ left: at, wide }));
    if (left !== undefined) texts.push({ left, wide, text: time });
  }
  marks.forEach(({ x, toNext }, i) => {
    const next = marks[i + 1];
    if (!next || toNext === null) return;
    const wide = measure(toNext);
    const room = roomBetween(Math.max(0, x + flagReach), Math.min(width, next.x - flagReach), texts);
    const [least, most] = [room.left + air / 2, room.left + room.wide - wide - air / 2];
    if (most < least) return;
    // In the middle of what is seen of the way, or as near as it can.
    const middle = (Math.max(0, x) + Math.min(width, next.x) - wide) / 2;
    texts.push({ left: Math.min(most, Math.max(least, middle)), wide, text: toNext });
  });
  return texts;
}

// What the times leave between two flags: they stand at its ends.
function roomBetween(from: number, to: number, texts: Span[]): Span {
  let [left, right] = [from, to];
  for (const one of texts) {
    if (one.left + one.wide <= left || one.left >= right) continue;
    if (one.left - left < right - one.left - one.wide) left = one.left + one.wide;
    else right = one.left;
  }
  return { left, wide: right - left };
}
