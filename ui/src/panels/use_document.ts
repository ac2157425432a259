// A document of the server for a panel: fetched once, kept by the session.

import { useEffect, useState } from 'preact/hooks';
import type { DocumentQuery } from '../engine/api';
import { messageOf, type Session } from '../engine/session';

export interface Loaded<T> {
  data: T | null;
  error: string | null;
  busy: boolean;
}

export function useLoaded<T>(load: () => Promise<T>, dependsOn: unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ data: null, error: null, busy: true });
  useEffect(() => {
    let live = true;
    setLoaded((before) => ({ ...before, error: null, busy: true }));
    load().then(
      (data) => live && setLoaded({ data, error: null, busy: false }),
      (error: unknown) => live && setLoaded({ data: null, error: messageOf(error), busy: false }),
    );
    return () => {
      live = false;
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
