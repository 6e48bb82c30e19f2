// The side panel: four sections behind tabs, and what came of the last thing that was done.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import type { Inbox } from '../../inbox';
import { useStored } from '../../stored';
import { Phrase } from '../../views/phrase';
import type { PanelSession } from '../session';
import { Notice, Panel, Section, SECTIONS } from '../state';
import { HEADING, INBOX, LINKS, NAMES, TITLE } from '../words';
import { ActivitySection } from './activity';
import { HealthSection } from './health';
import { InboxSection } from './inbox';
import { LibrarySection } from './library';
import { useKeptFocus } from './pieces';

export interface Parts {
  readonly panel: Panel;
  readonly session: PanelSession;
  readonly inbox: Inbox;
  readonly rendermime: IRenderMimeRegistry;
}

type Props = Omit<Parts, 'panel'>;

export function PanelView(props: Props): JSX.Element {
  const { session, inbox } = props;
  const panel = useStored(session.store, session.store.state);
  const { requests } = useStored(inbox.store, inbox.store.state);
  const waiting = requests.size + (panel.inbox?.cards.length ?? 0);
  const { section, link } = panel;
  const place = React.useRef<HTMLDivElement>(null);
  useKeptFocus(place);
  return (
    <div className="jp-mcpgen-panelParts" ref={place}>
      <div className="jp-mcpgen-panelHead">
        <h2 tabIndex={-1}>{HEADING}</h2>
        <Tabs section={section} waiting={waiting} choose={one => session.choose(one)} />
      </div>
      <div className="jp-mcpgen-panelTold" role="status" aria-live="polite">
        {link !== 'open' && (
          <p className="jp-mcpgen-panelLink" data-link={link}>
            <Phrase text={LINKS[link]} />
          </p>
        )}
        {panel.notice !== null && <NoticePart notice={panel.notice} session={session} />}
      </div>
      <div
        key={section}
        className="jp-mcpgen-panelBody"
        role="tabpanel"
        id="jp-mcpgen-panel-body"
        aria-labelledby={`jp-mcpgen-panel-${section}`}
        aria-busy={panel.sent !== null}
        tabIndex={0}
      >
        <Shown {...props} panel={panel} />
      </div>
    </div>
  );
}

function Shown(parts: Parts): JSX.Element {
  switch (parts.panel.section) {
    case 'inbox':
      return <InboxSection {...parts} />;
    case 'library':
      return <LibrarySection {...parts} />;
    case 'health':
      return <HealthSection {...parts} />;
    case 'activity':
      return <ActivitySection {...parts} />;
  }
}

interface TabsProps {
  readonly section: Section;
  readonly waiting: number;
  readonly choose: (section: Section) => void;
}

/** One stop for the Tab key; arrows go from tab to tab. */
function Tabs({ section, waiting, choose }: TabsProps): JSX.Element {
  const place = React.useRef<HTMLDivElement>(null);
  const go = (event: React.KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    const next = SECTIONS.at((SECTIONS.indexOf(section) + step) % SECTIONS.length) ?? section;
    choose(next);
    place.current?.querySelector<HTMLElement>(`#jp-mcpgen-panel-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={TITLE} className="jp-mcpgen-tabs" ref={place} onKeyDown={go}>
      {SECTIONS.map(one => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`jp-mcpgen-panel-${one}`}
          aria-selected={one === section}
          aria-controls="jp-mcpgen-panel-body"
          tabIndex={one === section ? 0 : -1}
          onClick={() => choose(one)}
        >
          {NAMES[one]}
          {one === 'inbox' && waiting > 0 && <span className="jp-mcpgen-number"> {waiting}</span>}
        </button>
      ))}
    </div>
  );
}

function NoticePart({ notice, session }: { notice: Notice; session: PanelSession }): JSX.Element {
  const { sentence, outcomes, failed } = notice;
  return (
    <div className="jp-mcpgen-notice" data-failed={failed}>
      {sentence !== '' && (
        <p>
          <Phrase text={sentence} />
        </p>
      )}
      {outcomes.length > 0 && (
        <ul>
          {outcomes.map(one => (
            <li key={one.card_id} data-done={one.done}>
              <span>
                {!one.done && <strong>{one.tool_name}: </strong>}
                <Phrase text={one.sentence} />
              </span>
              {one.can_undo && (
                <button
                  type="button"
                  className="jp-mcpgen-button"
                  aria-label={`${INBOX.undo}: ${one.tool_name}`}
                  onClick={() => session.send({ kind: 'panel_undo', card_id: one.card_id })}
                >
                  {INBOX.undo}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
