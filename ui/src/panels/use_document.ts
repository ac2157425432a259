// A document of the server for a panel: fetched once, kept by the session.

import { useEffect, useState } from 'preact/hooks';
import type { DocumentQuery } from '../engine/api';
import { messageOf, type Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { Range } from '../engine/types';

export interface Loaded<T> {
  data: T | null;
  error: string | null;
  busy: boolean;
}

// `signal` tells that nobody waits for the answer any more.
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, dependsOn: unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: null, error: null, busy: true });
  useEffect(() => {
    let live = true;
    const request = new AbortController();
    setLoaded((before) => ({ ...before, error: null, busy: true }));
    load(request.signal).then(
      (data) => live && setLoaded({ data, error: null, busy: false }),
      (error: unknown) => live && setLoaded({ data: null, error: messageOf(error), busy: false }),
    );
    return () => {
      live = false;
      request.abort();
    };
  }, dependsOn);
  return loaded;
}

export function useDocument<T>(session: Session, verb: string, query: DocumentQuery = {}): Loaded<T> {
  return useLoaded(() => session.document<T>(verb, query), [session, verb, JSON.stringify(query)]);
}

const settleMs = 200;

// While a range is being dragged the server is not asked for each of its forms.
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

// The range that a panel follows.
export const useRange = (session: Session): Range | null => useSettled(useStore(session.state, (state) => state.range));

// Of a range or the whole recording, in the form that other panels ask in too: they share the answer.
export const inRange = (range: Range | null): DocumentQuery => (range ? { range } : {});
