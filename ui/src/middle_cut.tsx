// A text that is cut in its middle where there is no room: names that begin alike often end differently.

const tailLength = 8;
const leastHead = 5; // a shorter text is cut at its end: nothing would be won

// Read out as one text: the two halves are for the eye.
export function MiddleCut({ text, tail = tailLength }: { text: string; tail?: number }) {
  if (text.length < tail + leastHead) return <>{text}</>;
  const at = splitAt(text, text.length - tail);
  return (
    <>
      <span class="middle" aria-hidden="true">
        <span class="middle-head">{text.slice(0, at)}</span>
        <span class="middle-tail">{text.slice(at)}</span>
      </span>
      <span class="hush">{text}</span>
    </>
  );
}

// Not between the halves of a surrogate pair.
function splitAt(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
}
