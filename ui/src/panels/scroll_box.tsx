// What scrolls sideways: a shadow stands at the edge behind which there is more.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function ScrollBox({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [outer, inner] = [box.current!, scroll.current!];
    const look = (): void => {
      const left = inner.scrollLeft;
      // Widths are rounded: a pixel is nothing to scroll to.
      outer.classList.toggle('more-left', left > 1);
      outer.classList.toggle('more-right', inner.scrollWidth - inner.clientWidth - left > 1);
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(inner);
    for (const child of inner.children) sizes.observe(child);
    inner.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      inner.removeEventListener('scroll', look);
    };
  }, []);
  return (
    <div class="scroll-box" ref={box}>
      <div class="scroll" ref={scroll} tabIndex={0} role="region" aria-label={label}>
        {children}
      </div>
    </div>
  );
}
