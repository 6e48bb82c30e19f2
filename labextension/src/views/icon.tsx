// The few signs of the card, drawn so that they follow the theme's colours.

import * as React from 'react';

const PATHS = {
  passed: 'M3.5 8.5l3 3 6-7',
  failed: 'M4 4l8 8M12 4l-8 8',
  not_run: 'M4 8h8'
} as const;

export type Sign = keyof typeof PATHS;

export function Icon({ sign }: { sign: Sign }): JSX.Element {
  return (
    <svg className={`jp-mcpgen-icon jp-mod-${sign}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[sign]} />
    </svg>
  );
}
