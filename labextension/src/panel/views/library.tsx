// The tools that were approved: search, how they are used, and how AI clients are connected.

import * as React from 'react';

import type { PanelClient, PanelLibraryTool } from '../../messages';
import { Phrase } from '../../views/phrase';
import type { Panel } from '../state';
import { LIBRARY, used } from '../words';
import type { Parts } from './panel';
import { Copied, useWayBack } from './pieces';
import { OpenedToolPage } from './tool';

export function LibrarySection(parts: Parts): JSX.Element {
  const { panel, session } = parts;
  const remember = useWayBack(panel.tool !== null);
  if (panel.tool !== null) {
    return <OpenedToolPage {...parts} opened={panel.tool} />;
  }
  const { library, query, clients } = panel;
  const open = (name: string) => {
    remember(name);
    session.openTool(name);
  };
  return (
    <>
      <input
        type="search"
        className="jp-mcpgen-search"
        aria-label={LIBRARY.search}
        placeholder={LIBRARY.search}
        value={query}
        onChange={event => session.search(event.target.value)}
      />
      {library !== null && (
        <>
          <ul className="jp-mcpgen-list" aria-label="Tools">
            {library.tools.map(tool => (
              <Tool key={tool.name} tool={tool} open={open} />
            ))}
          </ul>
          <Rest panel={panel} />
        </>
      )}
      {clients !== null && (
        <section aria-label={LIBRARY.connect}>
          <h3>{LIBRARY.connect}</h3>
          {clients.clients.map(client => (
            <Client key={client.word} client={client} />
          ))}
        </section>
      )}
    </>
  );
}

function Tool({ tool, open }: { tool: PanelLibraryTool; open: (name: string) => void }): JSX.Element {
  return (
    <li className="jp-mcpgen-entry">
      <div className="jp-mcpgen-entryText">
        <button type="button" className="jp-mcpgen-open" data-entry={tool.name} onClick={() => open(tool.name)}>
          {tool.name}
        </button>{' '}
        <span className="jp-mcpgen-quiet">{tool.version === '' ? LIBRARY.archived : `v${tool.version}`}</span>
        {tool.description !== '' && <p>{tool.description}</p>}
        {tool.version !== '' && <p className="jp-mcpgen-quiet">{used(tool.calls, tool.errors, tool.last_used)}</p>}
      </div>
    </li>
  );
}

/** What the list does not show, and why. */
function Rest({ panel: { library, query } }: { panel: Panel }): JSX.Element | null {
  if (library === null) {
    return null;
  }
  const isEmpty = library.tools.length === 0 && library.problems.length === 0;
  const more = query === '' ? LIBRARY.moreWithoutWords(library.more) : LIBRARY.more(library.more);
  return (
    <>
      {isEmpty && <p className="jp-mcpgen-empty">{library.query === '' ? LIBRARY.empty : LIBRARY.none}</p>}
      {library.more > 0 && <p className="jp-mcpgen-quiet">{more}</p>}
      {library.problems.map(problem => (
        <p key={problem} className="jp-mcpgen-off">
          <Phrase text={problem} />
        </p>
      ))}
    </>
  );
}

function Client({ client }: { client: PanelClient }): JSX.Element {
  return (
    <details className="jp-mcpgen-details">
      <summary>
        <span>{client.name}</span>
        <span className="jp-mcpgen-quiet">{LIBRARY.connected(client.connected)}</span>
      </summary>
      <div className="jp-mcpgen-detailsBody">
        <p>
          {LIBRARY.into(client.file)} <code>%mcpgen connect {client.word} --install</code>.
        </p>
        {client.snippets.map(one => (
          <Copied key={one.label} text={one.text} label={one.label} />
        ))}
      </div>
    </details>
  );
}
