// How the parts of the product are, and whether the audit log is as it was written.

import * as React from 'react';

import type { PanelPart } from '../../messages';
import { Icon } from '../../views/icon';
import { Phrase } from '../../views/phrase';
import { HEALTH, STATES, verifiedSentence } from '../words';
import type { Parts } from './panel';

const SIGNS = { good: 'passed', off: 'not_applicable', bad: 'failed' } as const;

export function HealthSection({ panel, session }: Parts): JSX.Element {
  const { parts, verified, sent, link } = panel;
  return (
    <>
      {parts.size === 0 && link === 'open' && <p className="jp-mcpgen-empty">{HEALTH.loading}</p>}
      {[...parts.values()].map(part => (
        <Part key={part.name} part={part} />
      ))}
      <section className="jp-mcpgen-health" aria-label={HEALTH.audit}>
        <h3>
          <Icon sign={verified === null ? 'not_applicable' : verified.problems.length > 0 ? 'failed' : 'passed'} />
          {HEALTH.audit}
        </h3>
        {verified === null ? (
          <p>{HEALTH.auditTold}</p>
        ) : (
          <>
            <p>{verifiedSentence(verified)}</p>
            <ul>
              {verified.problems.map(problem => (
                <li key={problem} className="jp-mcpgen-off">
                  <Phrase text={problem} />
                </li>
              ))}
            </ul>
          </>
        )}
        <div className="jp-mcpgen-row">
          <button
            type="button"
            className="jp-mcpgen-button"
            disabled={sent !== null || link !== 'open'}
            onClick={() => session.send({ kind: 'panel_verify' })}
          >
            {sent === 'panel_verify' ? HEALTH.verifying : HEALTH.verify}
          </button>
        </div>
      </section>
    </>
  );
}

function Part({ part }: { part: PanelPart }): JSX.Element {
  return (
    <section className="jp-mcpgen-health" aria-label={part.name} data-state={part.state}>
      <h3>
        <Icon sign={SIGNS[part.state]} />
        {part.name} <span className="jp-mcpgen-spoken">({STATES[part.state]})</span>
      </h3>
      {part.sentences.map(sentence => (
        <p key={sentence}>
          <Phrase text={sentence.replaceAll('**', '')} />
        </p>
      ))}
      <p className="jp-mcpgen-quiet">
        {HEALTH.more} <code>%mcpgen {part.command}</code>
      </p>
    </section>
  );
}
