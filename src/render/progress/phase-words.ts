import type { Phase } from '../../base/events.ts';
import type { PhaseState } from './progress-state.ts';

/** How a phase is called on a screen, and what one of its units is. `kept` phases leave a line behind when they end. */
export interface PhaseWords {
  readonly label: string;
  readonly unit: string;
  readonly kept: boolean;
}

/** The words of a phase. */
export function phaseWords(phase: Phase): PhaseWords {
  return WORDS[phase];
}

/** The name of a phase as begun. */
export function phaseLabel(state: Pick<PhaseState, 'phase' | 'again'>): string {
  return state.again && state.phase === 'survey' ? 'second read' : WORDS[state.phase].label;
}

const WORDS: Readonly<Record<Phase, PhaseWords>> = {
  copy: { label: 'copying the list', unit: 'byte', kept: false },
  survey: { label: 'survey', unit: 'row', kept: true },
  plan: { label: 'plan', unit: 'step', kept: false },
  suppressions: { label: 'suppressions', unit: 'row', kept: true },
  first_batch: { label: 'first batch', unit: 'row', kept: true },
  contacts: { label: 'contacts', unit: 'row', kept: true },
  export: { label: 'export', unit: 'contact', kept: false },
  enrollments: { label: 'enrolments', unit: 'row', kept: true },
  verify: { label: 'verify', unit: 'check', kept: true },
  report: { label: 'report', unit: 'step', kept: false },
  done: { label: 'done', unit: 'step', kept: false },
};
