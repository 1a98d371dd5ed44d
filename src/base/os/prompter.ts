import { closeSync, openSync } from 'node:fs';
import type { Prompter } from '../context.ts';

const TERMINAL = '/dev/tty';

/**
 * Asks at the controlling terminal, so that svc can ask even if standard input is the list. Undefined without a
 * terminal. Loads the code for questions only when it asks. Ctrl-C calls `interrupt`, which aborts the signal.
 */
export function createTerminalPrompter(signal: AbortSignal, interrupt: () => void): Prompter | undefined {
  if (!hasTerminal()) {
    return undefined;
  }
  const ask = async (question: string, isHidden: boolean) => {
    const { askAtTerminal } = await import('./terminal.ts');
    return askAtTerminal(TERMINAL, { question, signal, isHidden, interrupt });
  };
  return {
    ask: (question) => ask(question, false),
    askHidden: (question) => ask(question, true),
    choose: async (list) => {
      const { chooseAtTerminal } = await import('./terminal.ts');
      return chooseAtTerminal(TERMINAL, list, { signal, interrupt });
    },
  };
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync(TERMINAL, 'r+'));
    return true;
  } catch {
    return false;
  }
}
