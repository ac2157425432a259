// A value that others watch.

import { useEffect, useState } from 'preact/hooks';

export class Store<T> {
  private watchers = new Set<() => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher();
  }

  patch(change: Partial<T>): void {
    this.set({ ...this.value, ...change });
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

export function useStore<T, S = T>(store: Store<T>, select: (value: T) => S = (value) => value as unknown as S): S {
  const [, redraw] = useState({});
  const now = select(store.get());
  useEffect(() => {
    let last = now;
    const look = () => {
      const next = select(store.get());
      if (Object.is(next, last)) return;
      last = next;
      redraw({});
    };
    look();
    return store.watch(look);
    // `select` is a plain projection: only the store decides.
  }, [store]);
  return now;
}
