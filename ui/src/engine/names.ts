// Texts of name numbers, fetched in batches as they are first drawn, and kept: a trace has few names beside its events.

type FetchNames = (ids: number[]) => Promise<Record<string, string>>;

const batch = 500;
const mostNames = 200_000;
const gatherMs = 15;

export class Names {
  private texts = new Map<number, string>();
  private wanted = new Set<number>();
  private asked = new Set<number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly fetchNames: FetchNames,
    private readonly changed: () => void,
  ) {}

  get(id: number): string | undefined {
    const text = this.texts.get(id);
    if (text === undefined && !this.asked.has(id)) {
      this.wanted.add(id);
      this.timer ??= setTimeout(() => this.flush(), gatherMs);
    }
    return text;
  }

  private flush(): void {
    this.timer = undefined;
    const ids = [...this.wanted].slice(0, batch);
    if (!ids.length) return;
    for (const id of ids) {
      this.wanted.delete(id);
      this.asked.add(id);
    }
    this.fetchNames(ids)
      .then(
        (names) => {
          if (this.texts.size > mostNames) this.texts.clear();
          for (const [id, text] of Object.entries(names)) this.texts.set(Number(id), text);
          this.changed();
        },
        // The next drawing asks again, later.
        () => undefined,
      )
      .finally(() => {
        for (const id of ids) this.asked.delete(id);
        if (this.wanted.size) this.flush();
      });
  }
}
