// The few signs of the card, drawn so that they follow the theme's colours.

import * as React from 'react';

import type { Verdict } from '../messages';

const PATHS: Record<Verdict, string> = {
  passed: 'M3.5 8.5l3 3 6-7',
  failed: 'M4 4l8 8M12 4l-8 8',
  not_run: 'M4 8h8',
  not_applicable: 'M8 8h0'
};

export function Icon({ sign }: { sign: Verdict }): JSX.Element {
  return (
    <svg className={`jp-mcpgen-icon jp-mod-${sign}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[sign]} />
    </svg>
  );
}
