import { type MessagePort, parentPort } from 'node:worker_threads';
import { problemOf } from '../../base/os/worker-threads.ts';
import { prepareWordPatterns } from '../consent-columns/words/word-patterns.ts';
import { createPiecePoster } from '../rows/post-pieces.ts';
import type { ListThreadTask } from './list-thread.ts';

/** The code of the thread that `createListThread` starts. */
if (parentPort) {
  runTasks(parentPort);
}

function runTasks(port: MessagePort): void {
  const postPieces = createPiecePoster(port);
  const run = async (task: ListThreadTask): Promise<void> => {
    switch (task.kind) {
      case 'pieces':
        return postPieces(task);
      case 'prepare':
        await loadBatchCode();
        return prepareWordPatterns();
      default: {
        const { postBatches } = await loadBatchCode();
        return postBatches(port, task);
      }
    }
  };
  port.on('message', (message: ListThreadTask | string | ArrayBuffer) => {
    if (isTask(message)) {
      run(message).catch((error: unknown) => port.postMessage(problemOf(error)));
    }
  });
}

// The other messages are answers to what a task has posted.
function isTask(message: ListThreadTask | string | ArrayBuffer): message is ListThreadTask {
  return typeof message === 'object' && 'kind' in message;
}

// Loaded late, so that the survey need not wait for it.
function loadBatchCode(): Promise<typeof import('./post-batches.ts')> {
  return import('./post-batches.ts');
}
