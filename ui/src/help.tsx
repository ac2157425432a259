// All keys, from the same list that the keys are read from.

import { useEffect, useRef } from 'preact/hooks';
import { helpLines } from './timeline/keys';

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <header>
        <h2>Keys</h2>
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div class="help-columns">
        {helpLines.map((part) => (
          <section key={part.title}>
            <h3>{part.title}</h3>
            <dl>
              {part.lines.map((line) => (
                <div key={line.what}>
                  <dt>
                    {line.keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{line.what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="soft">
        <a href="./licenses.txt">Licences</a> of what this page is made with.
      </p>
    </dialog>
  );
}
