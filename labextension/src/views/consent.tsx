// A request for consent: who offers what, what it may do, every line of its code, and the decision.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import type { Opened } from '../consents';
import type { Inbox } from '../inbox';
import type { CapabilityWords, Confirmation, Confirms, ConsentDecision, ConsentRequest } from '../messages';
import { useStored } from '../stored';
import { DiffPart, fenced } from './diff';
import { Phrase } from './phrase';
import { Rendered } from './rendered';

interface Props {
  readonly inbox: Inbox;
  readonly rendermime: IRenderMimeRegistry;
}

const ALWAYS_DAYS = 90;

export function ConsentView({ inbox, rendermime }: Props): JSX.Element | null {
  const { opened } = useStored(inbox.store, inbox.store.state);
  if (opened === null) {
    return null;
  }
  const request = opened.shown?.request ?? null;
  return (
    <div className="jp-mcpgen-consent">
      <header>
        <h2 id="jp-mcpgen-consent-title">
          {request === null ? 'A tool of an AI client' : `Let AI clients call ${request.tool_name}?`}
        </h2>
        <button type="button" className="jp-mcpgen-close" onClick={() => inbox.close()}>
          Decide later
        </button>
      </header>
      {request !== null && (
        <div className="jp-mcpgen-consentBody" role="region" aria-label="What is offered" tabIndex={0}>
          <Offer request={request} warnings={opened.shown?.warnings ?? []} rendermime={rendermime} />
        </div>
      )}
      <Choice opened={opened} request={request} inbox={inbox} />
    </div>
  );
}

interface OfferProps {
  readonly request: ConsentRequest;
  readonly warnings: ReadonlyArray<string>;
  readonly rendermime: IRenderMimeRegistry;
}

function Offer({ request, warnings, rendermime }: OfferProps): JSX.Element {
  const { limits, variables } = request;
  return (
    <>
      <p id="jp-mcpgen-consent-who">
        The AI client <q>{request.client}</q> offers <code>{request.tool_name}</code> v{request.version}, and names{' '}
        <q>{request.author}</q> as its author. Nobody checks these two names.
      </p>
      {warnings.length > 0 && (
        <ul className="jp-mcpgen-warnings" aria-label="Warnings">
          {warnings.map(text => (
            <li key={text}>
              <Warning /> <Phrase text={text} />
            </li>
          ))}
        </ul>
      )}
      <h3>What the client says it does</h3>
      <p className="jp-mcpgen-said">{request.description}</p>
      {request.diff !== null && <DiffPart diff={request.diff} rendermime={rendermime} opensCode />}
      <h3>What it may do</h3>
      <ul className="jp-mcpgen-rights" aria-label="What it may do">
        {request.capabilities.map(one => (
          <Right key={one.label} right={one} />
        ))}
        {request.capabilities.length === 0 && <li>It asks for no capability: it only computes.</li>}
        {variables.length > 0 && (
          <li>
            <Warning />{' '}
            <span>
              Each call gets a copy of {variables.length === 1 ? 'this variable' : 'these variables'} of your notebook:{' '}
              {variables.map((name, index) => (
                <React.Fragment key={name}>
                  {index > 0 && ', '}
                  <code>{name}</code>
                </React.Fragment>
              ))}
            </span>
          </li>
        )}
        <li>
          One call may take {limits.timeout_seconds} s and {limits.memory_mb} MB beside its libraries, and there may be{' '}
          {limits.rate_limit_per_minute} calls a minute.
        </li>
        <li>
          {request.mode === 'unsafe' && <Warning />} The server that took the offer is in {request.mode} mode.
        </li>
      </ul>
      <h3>What was tried</h3>
      <ul className="jp-mcpgen-rights" aria-label="What was tried">
        {request.evidence.map(text => (
          <li key={text}>
            <Phrase text={text} />
          </li>
        ))}
      </ul>
      <h3>The code that runs</h3>
      <Rendered
        className="jp-mcpgen-code"
        rendermime={rendermime}
        mimeType="text/markdown"
        data={fenced(request.source_code, 'python')}
      />
    </>
  );
}

function Right({ right }: { right: CapabilityWords }): JSX.Element {
  return (
    <li data-dangerous={right.dangerous}>
      {right.dangerous && <Warning />}{' '}
      <span>
        <Phrase text={right.sentence} /> <code>{right.label}</code>
      </span>
    </li>
  );
}

function Warning(): JSX.Element {
  return (
    <span className="jp-mcpgen-warning" role="img" aria-label="Warning:">
      ⚠
    </span>
  );
}

interface ChoiceProps {
  readonly opened: Opened;
  readonly request: ConsentRequest | null;
  readonly inbox: Inbox;
}

/** Decline has the focus whenever a request is shown anew, and no key but those of the focused button decides. */
function Choice({ opened, request, inbox }: ChoiceProps): JSX.Element {
  const decline = React.useRef<HTMLButtonElement>(null);
  const again = React.useRef<HTMLButtonElement>(null);
  const token = request?.token;
  const isStale = opened.stale !== null;
  React.useEffect(() => (isStale ? again : decline).current?.focus({ preventScroll: true }), [token, isStale]);
  const missing = (request?.confirmations ?? []).filter(one => !opened.confirmed.includes(one.confirms));
  const off = opened.sent || isStale;
  const canAllow = !off && missing.length === 0;
  const decide = (decision: ConsentDecision) => () => inbox.decide(decision);
  return (
    <footer>
      <div role="status" aria-live="polite">
        {opened.stale !== null && (
          <p className="jp-mcpgen-refusal">
            <Phrase text={opened.stale} />
          </p>
        )}
        {opened.sent && <p className="jp-mcpgen-waiting">Waiting for the answer.</p>}
        {request === null && !isStale && <p className="jp-mcpgen-waiting">The linters look at the code.</p>}
      </div>
      {isStale && (
        <div className="jp-mcpgen-row">
          <button type="button" className="jp-mcpgen-button" ref={again} onClick={() => inbox.review(opened.requestId)}>
            Look at it again
          </button>
        </div>
      )}
      {request !== null && !isStale && (
        <>
          {request.confirmations.map(one => (
            <Confirm key={one.confirms} asked={one} opened={opened} inbox={inbox} />
          ))}
          <label className="jp-mcpgen-why">
            <span>If you decline, you can tell the client why</span>
            <textarea
              rows={1}
              maxLength={500}
              value={opened.notes}
              onChange={event => inbox.store.dispatch({ kind: 'noted', notes: event.target.value })}
            />
          </label>
          <div className="jp-mcpgen-row">
            <button
              type="button"
              className="jp-mcpgen-button"
              ref={decline}
              aria-disabled={off}
              onClick={decide('decline')}
            >
              Decline
            </button>
            <button
              type="button"
              className="jp-mcpgen-button"
              disabled={!canAllow}
              aria-describedby="jp-mcpgen-consent-always"
              onClick={decide('always_allow')}
            >
              Always allow
            </button>
            <button
              type="button"
              className="jp-mcpgen-button jp-mod-strong"
              disabled={!canAllow}
              aria-describedby="jp-mcpgen-consent-missing"
              onClick={decide('allow')}
            >
              Allow
            </button>
            <span className="jp-mcpgen-quiet" id="jp-mcpgen-consent-missing">
              {missing.length > 0 && 'To allow, tick the box first.'}
            </span>
          </div>
          <p className="jp-mcpgen-quiet" id="jp-mcpgen-consent-always">
            Always allow: for {ALWAYS_DAYS} days, you are not asked again when this client offers exactly this.
          </p>
        </>
      )}
    </footer>
  );
}

/** While an answer is on its way nothing is ticked: the content that comes with it may be another. */
function Confirm({ asked, opened, inbox }: { asked: Confirmation; opened: Opened; inbox: Inbox }): JSX.Element {
  const toggled = (isTicked: boolean): ReadonlyArray<Confirms> =>
    isTicked ? [...opened.confirmed, asked.confirms] : opened.confirmed.filter(one => one !== asked.confirms);
  return (
    <label className="jp-mcpgen-tick">
      <input
        type="checkbox"
        checked={opened.confirmed.includes(asked.confirms)}
        disabled={opened.sent}
        onChange={event => inbox.store.dispatch({ kind: 'confirmed', confirmed: toggled(event.target.checked) })}
      />
      <span>
        {asked.sentence} <strong>{asked.yes}</strong>
      </span>
    </label>
  );
}
