// How the answer is computed, in lines that run in a cell: pandas, or the SQL that it was checked with.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import { copied } from '../deliver';
import { fenced } from './diff';
import { Acts, canLook, Outlook } from './outlook';
import { Phrase } from './phrase';
import { Rendered } from './rendered';

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
  readonly rendermime: IRenderMimeRegistry;
}

type Language = 'pandas' | 'sql';

const CALLED: Record<Language, string> = { pandas: 'pandas', sql: 'SQL' };

/** It is asked for when a person opens it: how a table is read depends on the variables of the notebook. */
export function CodePart({ outlook, acts, rendermime }: Props): JSX.Element | null {
  const [language, setLanguage] = React.useState<Language>('pandas');
  const { code } = outlook.looked;
  const asks = code === null && canLook(outlook) && outlook.hands.kind === 'free';
  const ask = React.useRef(acts.readCode);
  ask.current = acts.readCode;
  React.useEffect(() => {
    if (asks) {
      ask.current();
    }
  }, [asks]);
  if (code === null) {
    return null;
  }
  const text = code[language];
  return (
    <section className="jp-mcpgen-plainCode" aria-label="The calculation as code">
      <div className="jp-mcpgen-tools" role="group" aria-label="The calculation as code">
        {(['pandas', 'sql'] as const).map(one => (
          <button
            key={one}
            type="button"
            className="jp-mcpgen-chip"
            aria-pressed={language === one}
            onClick={() => setLanguage(one)}
          >
            {CALLED[one]}
          </button>
        ))}
        {text !== '' && (
          <>
            <button type="button" className="jp-mcpgen-tool" onClick={() => void copied(text)}>
              Copy code
            </button>
            {acts.insert !== null && (
              <button type="button" className="jp-mcpgen-tool" onClick={() => acts.insert?.(text)}>
                Insert as cell
              </button>
            )}
          </>
        )}
      </div>
      {text === '' ? (
        <p className="jp-mcpgen-quiet">
          <Phrase text={code.no_sql} />
        </p>
      ) : (
        <Rendered
          className="jp-mcpgen-code"
          rendermime={rendermime}
          mimeType="text/markdown"
          data={fenced(text, 'python')}
        />
      )}
    </section>
  );
}
