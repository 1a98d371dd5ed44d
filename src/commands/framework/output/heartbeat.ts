import { type Context, type OutputStream, type Prompter, withWrite } from '../../../base/context.ts';
import type { Emit } from '../../../base/events.ts';
import type { Clock } from '../../../base/lib/clock.ts';
import { formatLogTime } from '../../../base/lib/duration.ts';
import { heartbeatLine } from '../../../render/progress/lines.ts';
import { advanceProgress, initialProgress } from '../../../render/progress/state.ts';
import { isTerminal } from '../stdin.ts';

const SILENCE_MS = 30_000;

/**
 * Returns a context that writes a line to stderr after each 30 seconds without output. The line says what the command
 * waits for, so that the user sees that it still runs. Writes no line if `quiet` is set, while a question is open, or
 * if svc does not know what the command waits for. After `stop` it writes no further line.
 */
export function withHeartbeat(outer: Context, quiet: boolean): { readonly context: Context; stop(): void } {
  const { clock } = outer;
  let state = initialProgress(clock.monotonic());
  let questions = 0;

  const onEvent: Emit = (event) => {
    state = advanceProgress(state, event, clock.monotonic());
    outer.onEvent?.(event);
  };
  const writeHeartbeat = () => {
    const line = questions > 0 ? undefined : heartbeatLine(state, { monotonic: clock.monotonic(), wall: clock.now() });
    if (line !== undefined) {
      outer.stderr.write(`${outer.stderr.isTTY ? '' : `${formatLogTime(clock.now())} `}${line}\n`);
    }
  };
  const timer = createSilenceTimer(clock);
  const whileAsked = async <T>(answer: Promise<T>) => {
    questions += 1;
    try {
      return await answer;
    } finally {
      questions -= 1;
      timer.noteWrite();
    }
  };

  if (!quiet) {
    timer.writeWhenSilent(writeHeartbeat).catch(() => undefined);
  }
  const changes = {
    onEvent,
    stderr: noteWrites(outer.stderr, timer.noteWrite),
    // Getters, because `stdin` and `prompter` are only made when a command uses them.
    get stdin() {
      return reportingStdin(outer.stdin, onEvent);
    },
    get prompter() {
      return reportingPrompter(outer.prompter, whileAsked);
    },
  } satisfies Partial<Context>;
  // Copies all other fields, even those that a later version adds.
  const context: Context = Object.defineProperties({} as Context, {
    ...Object.getOwnPropertyDescriptors(outer),
    ...Object.getOwnPropertyDescriptors(changes),
  });
  return { context, stop: timer.stop };
}

/** Measures the time since the last output. After `stop`, `writeWhenSilent` rejects. */
function createSilenceTimer(clock: Clock) {
  const ended = new AbortController();
  let lastWriteAt = clock.monotonic();
  const noteWrite = () => {
    lastWriteAt = clock.monotonic();
  };
  return {
    noteWrite,
    /** Calls `write` after each 30 seconds without output. */
    async writeWhenSilent(write: () => void): Promise<never> {
      for (;;) {
        const waitMs = Math.min(SILENCE_MS, Math.max(1, lastWriteAt + SILENCE_MS - clock.monotonic()));
        await clock.sleep(waitMs, ended.signal, true);
        if (clock.monotonic() - lastWriteAt >= SILENCE_MS) {
          noteWrite();
          write();
        }
      }
    },
    stop: () => ended.abort(),
  };
}

function noteWrites(stream: OutputStream, noteWrite: () => void): OutputStream {
  return withWrite(stream, (text) => {
    noteWrite();
    stream.write(text);
  });
}

/**
 * Standard input that emits an event while the command waits for it. At a terminal the event names no work, because the
 * user knows that the command waits for typed text.
 */
function reportingStdin(
  stdin: AsyncIterable<Buffer>,
  onEvent: Emit,
): AsyncIterable<Buffer> & { readonly isTTY: boolean } {
  const isTTY = isTerminal(stdin);
  return {
    isTTY,
    async *[Symbol.asyncIterator]() {
      onEvent({ type: 'doing', what: isTTY ? undefined : 'reading standard input' });
      try {
        yield* stdin;
      } finally {
        onEvent({ type: 'doing', what: undefined });
      }
    },
  };
}

function reportingPrompter(
  prompter: Prompter | undefined,
  whileAsked: <T>(answer: Promise<T>) => Promise<T>,
): Prompter | undefined {
  return (
    prompter && {
      ask: (question) => whileAsked(prompter.ask(question)),
      askHidden: (question) => whileAsked(prompter.askHidden(question)),
      choose: (list) => whileAsked(prompter.choose(list)),
    }
  );
}
