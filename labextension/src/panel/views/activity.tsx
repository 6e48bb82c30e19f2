// The latest lines of the audit log.

import * as React from 'react';

import { ACTIONS, ACTIVITY, when } from '../words';
import type { Parts } from './panel';

export function ActivitySection({ panel: { activity } }: Parts): JSX.Element | null {
  if (activity === null) {
    return null;
  }
  const earlier = activity.total - activity.entries.length;
  return (
    <>
      {activity.entries.length === 0 && <p className="jp-mcpgen-empty">{ACTIVITY.empty}</p>}
      <ol className="jp-mcpgen-list" aria-label="Activity">
        {activity.entries.map((entry, index) => (
          <li key={activity.total - index} className="jp-mcpgen-entry">
            <div className="jp-mcpgen-entryText">
              <span className="jp-mcpgen-name">{ACTIONS[entry.action]}</span>{' '}
              {entry.tool_name !== '' && (
                <span>
                  {entry.tool_name} {entry.version !== '' && `v${entry.version}`}
                </span>
              )}
              {entry.notes !== '' && <p className="jp-mcpgen-line">{entry.notes}</p>}
              <p className="jp-mcpgen-quiet">
                {entry.by} · <time dateTime={entry.at}>{when(entry.at)}</time>
              </p>
            </div>
          </li>
        ))}
      </ol>
      {earlier > 0 && (
        <p className="jp-mcpgen-quiet">
          {ACTIVITY.earlier(earlier)} <code>%mcpgen activity</code>
        </p>
      )}
    </>
  );
}
