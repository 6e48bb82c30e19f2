// What waits for a decision: the answers of all kernels, and what AI clients offer.

import * as React from 'react';

import type { Request } from '../../consents';
import type { PanelWaiting } from '../../messages';
import { useStored } from '../../stored';
import { Phrase } from '../../views/phrase';
import type { Panel } from '../state';
import type { PanelSession } from '../session';
import { INBOX, when } from '../words';
import { OpenedAnswer } from './answer';
import type { Parts } from './panel';
import { Reason, useWayBack } from './pieces';

export function InboxSection(parts: Parts): JSX.Element | null {
  const { panel, session, inbox } = parts;
  const { requests } = useStored(inbox.store, inbox.store.state);
  const remember = useWayBack(panel.card !== null);
  if (panel.card !== null) {
    return <OpenedAnswer {...parts} opened={panel.card} />;
  }
  const cards = panel.inbox?.cards ?? [];
  const open = (cardId: string) => {
    remember(cardId);
    session.openCard(cardId);
  };
  return (
    <>
      {requests.size > 0 && (
        <section aria-label={INBOX.offers}>
          <h3>{INBOX.offers}</h3>
          <ul className="jp-mcpgen-list">
            {[...requests.values()].map(request => (
              <Offer key={request.asked.request_id} request={request} review={id => inbox.review(id)} />
            ))}
          </ul>
        </section>
      )}
      {cards.length > 0 && (
        <section aria-label={INBOX.answers}>
          {requests.size > 0 && <h3>{INBOX.answers}</h3>}
          <Bulk panel={panel} session={session} cards={cards} />
          <ul className="jp-mcpgen-list">
            {cards.map(card => (
              <Answer key={card.card_id} card={card} panel={panel} session={session} open={open} />
            ))}
          </ul>
        </section>
      )}
      {panel.inbox !== null && cards.length === 0 && requests.size === 0 && (
        <p className="jp-mcpgen-empty">{INBOX.empty}</p>
      )}
    </>
  );
}

function Offer({ request, review }: { request: Request; review: (id: string) => void }): JSX.Element {
  const { asked } = request;
  return (
    <li className="jp-mcpgen-entry">
      <div className="jp-mcpgen-entryText">
        <span className="jp-mcpgen-name">
          {asked.tool_name} v{asked.version}
        </span>
        <p className="jp-mcpgen-quiet">
          offered by <q>{asked.client}</q> · {when(asked.created_at)}
        </p>
      </div>
      <button
        type="button"
        className="jp-mcpgen-button"
        aria-label={`${INBOX.review}: ${asked.tool_name}`}
        onClick={() => review(asked.request_id)}
      >
        {INBOX.review}
      </button>
    </li>
  );
}

interface BulkProps {
  readonly panel: Panel;
  readonly session: PanelSession;
  readonly cards: ReadonlyArray<PanelWaiting>;
}

function Bulk({ panel, session, cards }: BulkProps): JSX.Element {
  const { picked, reason, sent } = panel;
  const all = React.useRef<HTMLInputElement>(null);
  React.useEffect(() => {
    if (all.current !== null) {
      all.current.indeterminate = picked.size > 0 && picked.size < cards.length;
    }
  });
  const { store } = session;
  const off = sent !== null || picked.size === 0;
  return (
    <div className="jp-mcpgen-bulk" role="group" aria-label={INBOX.answers}>
      <label>
        <input
          type="checkbox"
          ref={all}
          aria-label={INBOX.selectAll}
          checked={picked.size === cards.length}
          onChange={event =>
            store.dispatch({
              kind: 'picked',
              cardIds: cards.map(one => one.card_id),
              isPicked: event.target.checked
            })
          }
        />
        {picked.size > 0 ? INBOX.selected(picked.size, cards.length) : INBOX.all}
      </label>
      <button type="button" className="jp-mcpgen-button" disabled={off} onClick={() => session.decidePicked('approve')}>
        {INBOX.approve}
      </button>
      <button
        type="button"
        className="jp-mcpgen-button"
        disabled={off}
        aria-expanded={reason !== null}
        onClick={() => store.dispatch({ kind: 'reasoned', reason: reason === null ? '' : null })}
      >
        {INBOX.reject}
      </button>
      {reason !== null && (
        <Reason
          label={picked.size === 1 ? INBOX.reason : INBOX.reasonOfSeveral}
          reason={reason}
          off={off}
          write={text => store.dispatch({ kind: 'reasoned', reason: text })}
          reject={() => session.decidePicked('reject')}
        />
      )}
    </div>
  );
}

interface AnswerProps {
  readonly card: PanelWaiting;
  readonly panel: Panel;
  readonly session: PanelSession;
  readonly open: (cardId: string) => void;
}

function Answer({ card, panel, session, open }: AnswerProps): JSX.Element {
  const next = card.is_next_version ? `, ${INBOX.nextVersion}` : '';
  return (
    <li className="jp-mcpgen-entry" data-picked={panel.picked.has(card.card_id)}>
      <input
        type="checkbox"
        aria-label={INBOX.select(card.reading)}
        checked={panel.picked.has(card.card_id)}
        onChange={event =>
          session.store.dispatch({ kind: 'picked', cardIds: [card.card_id], isPicked: event.target.checked })
        }
      />
      <div className="jp-mcpgen-entryText">
        <button
          type="button"
          className="jp-mcpgen-open jp-mcpgen-capital"
          data-entry={card.card_id}
          onClick={() => open(card.card_id)}
        >
          {card.reading}
        </button>
        <p className="jp-mcpgen-quiet">
          {card.data_name} · {card.tool_name} v{card.version}
          {next} · {when(card.created_at)}
        </p>
        {card.off !== '' ? (
          <p className="jp-mcpgen-off">
            <Phrase text={card.off} />
          </p>
        ) : (
          <p className="jp-mcpgen-line">
            <Phrase text={card.evidence_sentence} />
          </p>
        )}
        {card.alone !== '' && <p className="jp-mcpgen-quiet">{INBOX.alone(card.alone)}</p>}
      </div>
    </li>
  );
}
