import type { Emit, Phase } from '../base/events.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { RunContext } from './context.ts';
import type { Verification } from './types.ts';

/** Where a run is. The only thing that changes while it goes on; everything lasting is in the journal. */
export interface RunPhase {
  readonly emit: Emit;
  phase: Phase;
  verification: Verification;
}

/** Follows the phases as they are announced, so that a report can say where a run ended. */
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
