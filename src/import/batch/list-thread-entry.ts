import { type MessagePort, parentPort } from 'node:worker_threads';
import { problemOf } from '../../base/os/worker-threads.ts';
import { prepareWordPatterns } from '../consent-columns/words/word-patterns.ts';
import { createPiecePoster } from '../rows/post-pieces.ts';
import type { BatchThreadTask } from './batch-thread.ts';
import type { ListThreadTask } from './list-thread.ts';

/** The code of the thread that `createListThread` starts. */
if (parentPort) {
  runTasks(parentPort);
}

function runTasks(port: MessagePort): void {
  const postPieces = createPiecePoster(port);
  let postBatches: Promise<() => Promise<void>> | undefined;
  const run = async (task: ListThreadTask): Promise<void> => {
    switch (task.kind) {
      case 'pieces':
        return postPieces(task);
      case 'prepare batches':
        await prepareBatches();
        return;
      case 'open list':
        postBatches = openList(port, task);
        // The error is not lost: the task `batches` waits for this promise and reports the error.
        postBatches.catch(() => undefined);
        return;
      default:
        if (!postBatches) {
          throw new Error('the thread has opened no list');
        }
        return (await postBatches)();
    }
  };
  port.on('message', (message: ListThreadTask | string | ArrayBuffer) => {
    if (isTask(message)) {
      run(message).catch((error: unknown) => port.postMessage(problemOf(error)));
    }
  });
}

// True for a task. Any other message is a reply to what a running task has posted.
function isTask(message: ListThreadTask | string | ArrayBuffer): message is ListThreadTask {
  return typeof message === 'object' && 'kind' in message;
}

// Loaded late, so that the survey of a dry run need not wait for it.
async function prepareBatches(): Promise<typeof import('./post-batches.ts')> {
  const code = await import('./post-batches.ts');
  prepareWordPatterns();
  return code;
}

async function openList(port: MessagePort, task: BatchThreadTask): Promise<() => Promise<void>> {
  const { createBatchPoster } = await prepareBatches();
  return createBatchPoster(port, task);
}
