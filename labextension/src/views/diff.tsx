// What the next version of a tool changes, before a person decides about it.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import type { Diff } from '../messages';
import { Phrase } from './phrase';
import { Rendered } from './rendered';

interface Props {
  readonly diff: Diff;
  readonly rendermime: IRenderMimeRegistry;
  /** Whether the code stands open from the start. */
  readonly opensCode?: boolean;
}

export function DiffPart({ diff, rendermime, opensCode = false }: Props): JSX.Element {
  const sentences = [diff.summary, ...diff.contract, ...diff.capabilities, diff.result].filter(Boolean);
  return (
    <section className="jp-mcpgen-diff" aria-label={`What changes from v${diff.before}`}>
      <strong>What changes from v{diff.before}</strong>
      <ul>
        {sentences.map((sentence, index) => (
          <li key={index}>
            <Phrase text={sentence} />
          </li>
        ))}
      </ul>
      {diff.code !== '' && <CodeOf diff={diff} rendermime={rendermime} opensCode={opensCode} />}
    </section>
  );
}

function CodeOf({ diff, rendermime, opensCode = false }: Props): JSX.Element {
  const [open, setOpen] = React.useState(opensCode);
  return (
    <details className="jp-mcpgen-details" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>What changes in the code</summary>
      {open && (
        <Rendered
          className="jp-mcpgen-code"
          rendermime={rendermime}
          mimeType="text/markdown"
          data={fenced(diff.code, 'diff')}
        />
      )}
    </details>
  );
}

/** Code in a fence that is longer than any run of backticks inside it. */
export function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.trimEnd()}\n${fence}`;
}
