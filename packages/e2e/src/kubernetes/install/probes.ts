import { connect } from 'node:net';
import type { Probe } from 'kubernetes-types/core/v1.d.ts';
import { portOf, type LocalPod } from './local-cluster.ts';

/** Whether a container passes a probe, asked once as the kubelet asks. */
export async function passes(pod: LocalPod, probe: Probe): Promise<boolean> {
  const { httpGet, tcpSocket, timeoutSeconds = 1 } = probe;
  const port = portOf(pod, httpGet?.port ?? tcpSocket?.port ?? '');
  if (httpGet === undefined) return accepts(pod.address, port, timeoutSeconds * 1000);
  try {
    const { status } = await fetch(`http://${pod.address}:${port}${httpGet.path ?? '/'}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    return status >= 200 && status < 400;
  } catch {
    return false;
  }
}

function accepts(host: string, port: number, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false));
  });
}
