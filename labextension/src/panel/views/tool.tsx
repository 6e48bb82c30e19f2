// One tool: what it does, how it is called, and its versions.

import * as React from 'react';

import type { PanelTool, PanelVersion } from '../../messages';
import { DiffPart, fenced } from '../../views/diff';
import { Rendered } from '../../views/rendered';
import type { OpenedTool } from '../state';
import { LIBRARY, VERSION_STATES, when } from '../words';
import type { Parts } from './panel';
import { Copied, Page } from './pieces';

type Props = Parts & { readonly opened: OpenedTool };

export function OpenedToolPage(props: Props): JSX.Element {
  const { opened, session, rendermime } = props;
  const { tool } = opened;
  return (
    <Page title={opened.name} back={LIBRARY.back} close={() => session.store.dispatch({ kind: 'tool-closed' })}>
      {tool === null ? (
        <p className="jp-mcpgen-empty">{LIBRARY.loading}</p>
      ) : (
        <>
          <p>{tool.description}</p>
          {tool.version === '' ? (
            <p className="jp-mcpgen-off">{LIBRARY.archivedTool}</p>
          ) : (
            <p className="jp-mcpgen-quiet">
              v{tool.version}, {tool.approved}
            </p>
          )}
          {tool.snippets.length > 0 && (
            <section aria-label={LIBRARY.call}>
              <h4>{LIBRARY.call}</h4>
              {tool.snippets.map(one => (
                <Copied key={one.label} text={one.text} label={one.label} />
              ))}
            </section>
          )}
          <Parameters tool={tool} />
          <Versions {...props} tool={tool} />
          <details className="jp-mcpgen-details">
            <summary>{LIBRARY.code}</summary>
            <Rendered
              className="jp-mcpgen-code"
              rendermime={rendermime}
              mimeType="text/markdown"
              data={fenced(tool.code, 'python')}
            />
          </details>
          {tool.version !== '' && <Unpublish {...props} tool={tool} />}
        </>
      )}
    </Page>
  );
}

function Parameters({ tool }: { tool: PanelTool }): JSX.Element | null {
  return tool.parameters.length === 0 ? null : (
    <details className="jp-mcpgen-details">
      <summary>{LIBRARY.parameters}</summary>
      <dl className="jp-mcpgen-parameterList">
        {tool.parameters.map(one => (
          <React.Fragment key={one.name}>
            <dt>
              <code>{one.name}</code> <span className="jp-mcpgen-quiet">{one.type}</span>
            </dt>
            <dd>
              {one.description}{' '}
              <span className="jp-mcpgen-quiet">
                {one.required ? LIBRARY.required : <code>{JSON.stringify(one.default)}</code>}
              </span>
            </dd>
          </React.Fragment>
        ))}
      </dl>
    </details>
  );
}

function Versions({ panel, session, opened, tool, rendermime }: Props & { tool: PanelTool }): JSX.Element {
  const { versions } = tool;
  const { diff } = opened;
  const isOff = panel.sent !== null || panel.link !== 'open';
  return (
    <section aria-label={LIBRARY.versions}>
      <h4>{LIBRARY.versions}</h4>
      <ul className="jp-mcpgen-list">
        {versions.map((one, index) => {
          const before = versions.slice(index + 1).find(other => other.state !== 'pending');
          const isShown = diff?.after === one.version && diff.before === before?.version;
          return (
            <li key={`${one.version} ${one.card_id}`} className="jp-mcpgen-entry jp-mcpgen-version">
              <div className="jp-mcpgen-entryText">
                <span className="jp-mcpgen-name">v{one.version}</span>{' '}
                <span className="jp-mcpgen-quiet">
                  {VERSION_STATES[one.state]}
                  {one.approved_at !== '' && ` · ${when(one.approved_at)}`}
                </span>
              </div>
              {before !== undefined && (
                <button
                  type="button"
                  className="jp-mcpgen-button"
                  aria-expanded={isShown}
                  aria-label={LIBRARY.changesOf(one.version, before.version)}
                  onClick={() =>
                    isShown
                      ? session.store.dispatch({ kind: 'diff-closed' })
                      : session.send({
                          kind: 'panel_diff_wanted',
                          name: tool.name,
                          before: before.version,
                          after: one.version
                        })
                  }
                >
                  {isShown ? LIBRARY.hide : LIBRARY.changes}
                </button>
              )}
              {one.state === 'pending' && (
                <button
                  type="button"
                  className="jp-mcpgen-button"
                  aria-label={LIBRARY.lookAt(one.version)}
                  onClick={() => {
                    session.choose('inbox');
                    session.openCard(one.card_id);
                  }}
                >
                  {LIBRARY.look}
                </button>
              )}
              {one.state === 'archived' && <Rollback name={tool.name} one={one} off={isOff} session={session} />}
              {isShown && (
                <div className="jp-mcpgen-Card jp-mcpgen-panelCard">
                  <DiffPart diff={diff} rendermime={rendermime} opensCode />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface RollbackProps {
  readonly name: string;
  readonly one: PanelVersion;
  readonly off: boolean;
  readonly session: Props['session'];
}

function Rollback({ name, one, off, session }: RollbackProps): JSX.Element {
  return (
    <button
      type="button"
      className="jp-mcpgen-button"
      disabled={off}
      aria-label={LIBRARY.rollbackTo(one.version)}
      onClick={() => session.send({ kind: 'panel_rollback', name, version: one.version })}
    >
      {LIBRARY.rollback}
    </button>
  );
}

/** A second click says yes to what the first one asked for. */
function Unpublish({ panel, session, opened, tool }: Props & { tool: PanelTool }): JSX.Element {
  const isOff = panel.sent !== null || panel.link !== 'open';
  const leave = (leaving: boolean) => session.store.dispatch({ kind: 'leaving', leaving });
  if (!opened.leaving) {
    return (
      <div className="jp-mcpgen-row">
        <button type="button" className="jp-mcpgen-button" disabled={isOff} onClick={() => leave(true)}>
          {LIBRARY.unpublish}…
        </button>
      </div>
    );
  }
  return (
    <div role="group" aria-label={LIBRARY.unpublish}>
      <p>{LIBRARY.sure}</p>
      <div className="jp-mcpgen-row">
        <button
          type="button"
          className="jp-mcpgen-button jp-mod-strong"
          disabled={isOff}
          onClick={() => session.send({ kind: 'panel_unpublish', name: tool.name, version: tool.version })}
        >
          {LIBRARY.unpublish}
        </button>
        <button type="button" className="jp-mcpgen-button" autoFocus onClick={() => leave(false)}>
          {LIBRARY.keep}
        </button>
      </div>
    </div>
  );
}
