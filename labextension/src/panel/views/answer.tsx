// One answer that waits: its reading, its result, its checks and its code, and the decision.

import * as React from 'react';

import type { Card, Confirms } from '../../messages';
import { whyUnsound } from '../../words';
import { DiffPart, fenced } from '../../views/diff';
import { EvidencePart } from '../../views/evidence';
import { Phrase } from '../../views/phrase';
import { Rendered } from '../../views/rendered';
import { ResultTable } from '../../views/table';
import type { OpenedCard } from '../state';
import { INBOX } from '../words';
import type { Parts } from './panel';
import { Page, Reason } from './pieces';

type Props = Parts & { readonly opened: OpenedCard };

export function OpenedAnswer(props: Props): JSX.Element {
  const { opened, session, rendermime } = props;
  const { card } = opened;
  const close = () => session.store.dispatch({ kind: 'card-closed' });
  return (
    <Page title={card?.reading ?? INBOX.loading} isSentence back={INBOX.back} close={close}>
      {card !== null && (
        <>
          <p className="jp-mcpgen-quiet">
            “{card.question}” · {card.data_name} · {card.tool_name} v{card.version}
          </p>
          <div className="jp-mcpgen-Card jp-mcpgen-panelCard">
            {card.text !== '' ? (
              <pre tabIndex={0}>{card.text}</pre>
            ) : (
              <ResultTable table={card.table} label={card.reading} />
            )}
            <EvidencePart card={card} asks />
            {card.diff !== null && <DiffPart diff={card.diff} rendermime={rendermime} />}
            <details className="jp-mcpgen-details">
              <summary>{INBOX.code}</summary>
              <Rendered
                className="jp-mcpgen-code"
                rendermime={rendermime}
                mimeType="text/markdown"
                data={fenced(card.code, 'python')}
              />
            </details>
          </div>
          <Decision {...props} card={card} />
        </>
      )}
    </Page>
  );
}

function Decision({ panel, session, opened, card }: Props & { card: Card }): JSX.Element {
  const { store } = session;
  const missing = card.confirmations.some(one => !opened.confirmed.includes(one.confirms));
  const isOff = panel.sent !== null || opened.stale || panel.link !== 'open';
  const canApprove = card.sound && card.status === 'STAGED';
  const toggle = (confirms: Confirms, isTicked: boolean) =>
    store.dispatch({
      kind: 'card-confirmed',
      confirmed: isTicked ? [...opened.confirmed, confirms] : opened.confirmed.filter(one => one !== confirms)
    });
  if (opened.stale) {
    return <p className="jp-mcpgen-off">{INBOX.stale}</p>;
  }
  return (
    <div className="jp-mcpgen-panelDecision" role="group" aria-label={INBOX.approve}>
      {!canApprove && (
        <p className="jp-mcpgen-off">
          <Phrase text={card.sound ? '' : whyUnsound(card)} />
        </p>
      )}
      {canApprove &&
        card.confirmations.map(one => (
          <label key={one.confirms} className="jp-mcpgen-tick">
            <input
              type="checkbox"
              checked={opened.confirmed.includes(one.confirms)}
              onChange={event => toggle(one.confirms, event.target.checked)}
            />
            <span>
              {one.sentence} <strong>{one.yes}</strong>
            </span>
          </label>
        ))}
      <div className="jp-mcpgen-row">
        {canApprove && (
          <button
            type="button"
            className="jp-mcpgen-button jp-mod-strong"
            disabled={isOff || missing}
            aria-describedby="jp-mcpgen-panel-missing"
            onClick={() => session.decideOpened('approve')}
          >
            {INBOX.approve}
          </button>
        )}
        <button
          type="button"
          className="jp-mcpgen-button"
          disabled={isOff}
          aria-expanded={opened.reason !== null}
          onClick={() => store.dispatch({ kind: 'card-reasoned', reason: opened.reason === null ? '' : null })}
        >
          {INBOX.reject}
        </button>
        <span className="jp-mcpgen-quiet" id="jp-mcpgen-panel-missing">
          {canApprove && missing && INBOX.tick}
          {panel.sent !== null && INBOX.waiting}
        </span>
      </div>
      {opened.reason !== null && (
        <Reason
          label={INBOX.reason}
          reason={opened.reason}
          off={isOff}
          write={reason => store.dispatch({ kind: 'card-reasoned', reason })}
          reject={() => session.decideOpened('reject')}
        />
      )}
    </div>
  );
}
