// What an expert wants to see: code, signature, parameters, capabilities, sandbox and times.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import type { ToolParameter } from '../messages';
import { duration, times } from '../words';
import { CodePart } from './code';
import { fenced } from './diff';
import type { Acts, Outlook } from './outlook';
import { Phrase } from './phrase';
import { Rendered } from './rendered';

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
  readonly rendermime: IRenderMimeRegistry;
}

export function Details({ outlook, acts, rendermime }: Props): JSX.Element {
  const { card } = outlook;
  const [open, setOpen] = React.useState(false);
  const remarks = card.findings.filter(one => one.severity !== 'error');
  const total = card.stages.reduce((sum, one) => sum + one.milliseconds, 0);
  return (
    <details className="jp-mcpgen-details" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span>Code and how it ran</span>
        <span className="jp-mcpgen-quiet">
          {card.tool_name} {card.version}
          {card.stages.length > 0 && ` · ${duration(total)}`}
          {remarks.length > 0 && ` · ${remarks.length} ${remarks.length === 1 ? 'remark' : 'remarks'} on the code`}
        </span>
      </summary>
      {open && (
        <div className="jp-mcpgen-detailsBody">
          <CodePart outlook={outlook} acts={acts} rendermime={rendermime} />
          <h4>The tool</h4>
          <Rendered
            className="jp-mcpgen-code"
            rendermime={rendermime}
            mimeType="text/markdown"
            data={fenced(card.signature, 'python')}
          />
          {card.parameters.length > 0 && <Parameters parameters={card.parameters} />}
          {remarks.length > 0 && (
            <ul className="jp-mcpgen-remarks" aria-label="Remarks on the code">
              {remarks.map((one, index) => (
                <li key={index}>
                  <span className="jp-mcpgen-quiet">{one.severity}</span>
                  <span>
                    <Phrase text={one.message} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          <dl>
            <dt>May do</dt>
            <dd>
              <Phrase text={(card.permissions ?? card.capabilities).join(' ')} />
            </dd>
            <dt>Sandbox</dt>
            <dd>{card.sandbox}</dd>
            {card.verify && (
              <>
                <dt>Check again</dt>
                <dd>
                  <code>%{card.verify}</code>
                </dd>
              </>
            )}
            <dt>Times</dt>
            <dd>{times(card.stages)}</dd>
            <dt>Id</dt>
            <dd>{card.card_id}</dd>
            <dt>Fingerprint</dt>
            <dd title={card.fingerprint}>{card.fingerprint.slice(0, 16)}</dd>
          </dl>
          <Rendered
            className="jp-mcpgen-code"
            rendermime={rendermime}
            mimeType="text/markdown"
            data={fenced(card.code, 'python')}
          />
        </div>
      )}
    </details>
  );
}

function Parameters({ parameters }: { parameters: ReadonlyArray<ToolParameter> }): JSX.Element {
  return (
    <table className="jp-mcpgen-parameters">
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">Type</th>
          <th scope="col">Default</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(one => (
          <tr key={one.name}>
            <td>
              <code>{one.name}</code>
            </td>
            <td>
              <code>{one.type}</code>
            </td>
            <td>{one.required ? 'required' : <code>{JSON.stringify(one.default)}</code>}</td>
            <td>{one.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
