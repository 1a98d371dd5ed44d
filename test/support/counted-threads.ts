import type { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Counts the worker threads that this process starts from now on. */
export function countedThreads(): () => number {
  let threads = 0;
  const countThread = () => {
    threads++;
  };
  process.on('worker', countThread);
  onTestFinished(() => {
    process.off('worker', countThread);
  });
  return () => threads;
}

/** Counts the worker threads that this process starts from now on, and those of them that ended. */
export function countRunningThreads(): () => { readonly started: number; readonly ended: number } {
  const started = countedThreads();
  let ended = 0;
  const watch = (thread: Worker) => {
    thread.once('exit', () => {
      ended++;
    });
  };
  process.on('worker', watch);
  onTestFinished(() => {
    process.off('worker', watch);
  });
  return () => ({ started: started(), ended });
}
