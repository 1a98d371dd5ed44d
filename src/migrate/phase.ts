import type { Emit, Phase } from '../base/events.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { RunContext } from './context.ts';
import type { Verification } from './types.ts';

/** The present phase of a run. Only this changes while the run goes on. Everything lasting is in the journal. */
export interface RunPhase {
  readonly emit: Emit;
  phase: Phase;
  verification: Verification;
}

/** Records each reported phase, so a report can name the phase in which a run ended. */
export function watchPhase(outside: RunContext, journal: Journal): RunPhase {
  const stage: RunPhase = {
    phase: 'survey',
    verification: { status: 'skipped', checks: [] },
    emit: (event) => {
      if (event.type === 'phase') {
        stage.phase = event.phase;
        journal.setPhase(event.phase);
      }
      outside.emit(event);
    },
  };
  return stage;
}
