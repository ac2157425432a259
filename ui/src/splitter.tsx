// The border between timeline and panels: dragged, or moved with the arrows when it has the focus.

import { useRef } from 'preact/hooks';

interface Props {
  share: number; // of the height that the timeline has
  onShare: (share: number) => void;
}

const least = 0.15;
const most = 0.9;

export function Splitter({ share, onShare }: Props) {
  const from = useRef<{ y: number; share: number; height: number } | null>(null);
  const set = (value: number): void => onShare(Math.min(most, Math.max(least, value)));
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the timeline"
      aria-valuemin={least * 100}
      aria-valuemax={most * 100}
      aria-valuenow={Math.round(share * 100)}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { y: event.clientY, share, height: event.currentTarget.parentElement!.clientHeight };
      }}
      onPointerMove={(event) => {
        if (from.current) set(from.current.share + (event.clientY - from.current.y) / from.current.height);
      }}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? -0.05 : event.key === 'ArrowDown' ? 0.05 : 0;
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        set(share + by);
      }}
    />
  );
}
