// How far a question is: its steps with their times, its tests one by one, and Stop. It stays when the answer is there.

import * as React from 'react';

import type { Asking, StepTime, Tick } from '../messages';
import { wantsMotion } from '../preferences';
import { Going, isGoing } from '../store';
import { duration, gateName, STEPS, VERDICTS } from '../words';
import { Icon } from './icon';

/** After so many milliseconds without effect another way to stop is offered. */
const PATIENCE = 2000;
const TICK = 100;
const CALM_TICK = 1000;
/** The place of every test is kept from the first one on, so that the line never grows. */
const TICK_WIDTH = 12;

interface Props {
  readonly going: Going;
  readonly stop: (askingId: string) => void;
  readonly interrupt: () => void;
}

export function Strip({ going, stop, interrupt }: Props): JSX.Element {
  const { asking } = going;
  const runs = isGoing(going);
  return (
    <div className="jp-mcpgen-strip" role="group" aria-label="Progress" data-state={runs ? 'going' : asking.state}>
      <ol className="jp-mcpgen-steps">
        {asking.steps.map(one => (
          <StepView key={one.step} step={one} runs={runs} />
        ))}
        {asking.gates > 0 && <Tests asking={asking} runs={runs} />}
      </ol>
      <span className="jp-mcpgen-spoken" role="status">
        {spoken(asking, runs)}
      </span>
      {runs && <Stop going={going} stop={stop} interrupt={interrupt} />}
    </div>
  );
}

function StepView({ step: { step, state, milliseconds }, runs }: { step: StepTime; runs: boolean }): JSX.Element {
  const isRunning = state === 'running' && runs;
  const shown = state === 'running' && !runs ? 'stopped' : state;
  return (
    <li data-state={shown}>
      {state === 'done' && <Icon sign="passed" />}
      {step}
      {isRunning && <Since before={milliseconds} />}
      {state === 'done' && <span className="jp-mcpgen-time"> {duration(milliseconds)}</span>}
      {shown === 'stopped' && <span className="jp-mcpgen-time"> stopped</span>}
      {state === 'skipped' && <span className="jp-mcpgen-spoken"> not needed</span>}
    </li>
  );
}

/** The time of a step that is running, as this page sees it; nobody is told of each tenth of a second. */
function Since({ before }: { before: number }): JSX.Element {
  const [begin] = React.useState(() => performance.now());
  const [now, setNow] = React.useState(begin);
  React.useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), wantsMotion() ? TICK : CALM_TICK);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="jp-mcpgen-time" aria-hidden="true">
      {` ${((before + now - begin) / 1000).toFixed(1)} s`}
    </span>
  );
}

function Tests({ asking: { ticks, gates }, runs }: { asking: Asking; runs: boolean }): JSX.Element {
  return (
    <li data-state={ticks.length < gates ? (runs ? 'running' : 'stopped') : 'done'}>
      {ticks.length === gates && <Icon sign="passed" />}
      test
      <span className="jp-mcpgen-ticks" aria-hidden="true" style={{ minWidth: `${gates * TICK_WIDTH}px` }}>
        {ticks.map(one => (
          <span key={one.gate} title={told(one)}>
            <Icon sign={one.verdict} />
          </span>
        ))}
      </span>
      <span className="jp-mcpgen-time">
        {ticks.length} of {gates}
      </span>
    </li>
  );
}

function told({ gate, verdict }: Tick): string {
  return `${gateName(gate)}: ${VERDICTS[verdict]}`;
}

/** What is said aloud: each step once, and no times. */
function spoken(asking: Asking, runs: boolean): string {
  if (!runs) {
    return asking.state === 'over' ? '' : 'Stopped.';
  }
  const step = asking.steps.find(one => one.state === 'running');
  return step !== undefined ? STEPS[step.step] : 'Testing the code.';
}

function Stop({ going: { asking, stopping }, stop, interrupt }: Props): JSX.Element {
  const isLate = useLate(stopping);
  const label = isLate ? 'Interrupt the kernel' : stopping ? 'Stopping…' : 'Stop';
  const press = isLate ? interrupt : stopping ? () => undefined : () => stop(asking.asking_id);
  return (
    <button
      type="button"
      className="jp-mcpgen-button jp-mcpgen-stop"
      aria-disabled={stopping && !isLate}
      onClick={press}
    >
      {label}
    </button>
  );
}

function useLate(stopping: boolean): boolean {
  const [isLate, setLate] = React.useState(false);
  React.useEffect(() => {
    if (!stopping) {
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [stopping]);
  return isLate;
}
