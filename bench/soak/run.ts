import type { ChildProcess } from 'node:child_process';
import { bundle } from '../support/bundle.ts';
import { nextMessage, startNode } from '../support/child-process.ts';
import { pause } from '../support/ear.ts';
import { startSipp } from '../support/sipp.ts';
import { growthOf } from './growth.ts';
import { type InsideFigures, number } from './settings.ts';
import { type Sockets, socketsOf } from './sockets.ts';

/**
 * Runs a hundred short calls at a time for half an hour, or for the minutes given as an argument, and checks that
 * memory, sockets, ports and timers do not grow. The callers are SIPp (Debian package `sip-tester`).
 */
const minutes = Number(process.argv[2] ?? 30);
const calls = 100;
const lasting = { minMs: 4_000, maxMs: 16_000 };
const everyMs = 10_000;
const minuteMs = 60_000;
/** Time in which hot code is compiled and each pool reaches its maximum. */
const warmUpMs = Math.min(5, minutes / 5) * minuteMs;
/** Slightly longer than SIP keeps ended transactions (RFC 3261 timer J). */
const forgettingMs = 40_000;

/** One second of tone and two of silence as G.711 μ-law: a caller who speaks, waits and interrupts. */
const says = Uint8Array.from({ length: 24_000 }, (_, i) => (i < 8_000 ? (i % 8 < 4 ? 0x10 : 0x90) : 0xff));

type Figures = InsideFigures & Sockets & { readonly timers: number; readonly handles: number };

async function figuresOf(service: ChildProcess): Promise<Figures> {
  const told = nextMessage<InsideFigures>(service);
  service.send('figures');
  const inside = await told;
  const { Timeout: timers = 0, Immediate: _, ...handles } = inside.resources;
  const all = Object.values(handles).reduce((sum, each) => sum + each, 0);
  return { ...inside, ...socketsOf(service.pid ?? 0), timers, handles: all };
}

function show(when: string, { rssMb, heapMb, sockets, udpPorts, timers, handles, resources }: Figures): void {
  const memory = `rss ${rssMb.toFixed(0)} MB, heap ${heapMb.toFixed(1)} MB`;
  const kinds = Object.entries(resources).map(([kind, count]) => `${kind} ${count}`);
  console.log(
    `${when.padEnd(8)} ${memory}, ${sockets} sockets, ${udpPorts} UDP ports, ${timers} timers, ${handles} ` +
      `handles (${kinds.join(', ')})`,
  );
}

await bundle(new URL('../support/exact-vad.ts', import.meta.url), 'exact-vad');
const script = await bundle(new URL('./service.ts', import.meta.url), 'soak-service');
const service = startNode(['--expose-gc', script], { processor: 'any' });
const { port } = await nextMessage<{ port: number }>(service);
await pause(5_000);
const idle = await figuresOf(service);
show('idle', idle);
const sipp = await startSipp({ port, number, atOnce: calls, perSecond: 20, lasting, says, mediaPort: 24_000 });
const samples: Figures[] = [];
for (let elapsedMs = everyMs; elapsedMs <= minutes * minuteMs; elapsedMs += everyMs) {
  await pause(everyMs);
  const figures = await figuresOf(service);
  if (elapsedMs > warmUpMs) samples.push(figures);
  if (elapsedMs % minuteMs === 0) show(`${elapsedMs / minuteMs} min`, figures);
}
sipp.stop();
const { successful, failed, complaint } = await sipp.over;
await pause(forgettingMs);
const after = await figuresOf(service);
show('after', after);
service.disconnect();

const complaints = growthOf([
  { what: 'memory (MB)', values: samples.map(({ rssMb }) => rssMb), tolerance: 16 },
  { what: 'heap (MB)', values: samples.map(({ heapMb }) => heapMb), tolerance: 4 },
  { what: 'sockets', values: samples.map(({ sockets }) => sockets), tolerance: 8 },
  { what: 'UDP ports', values: samples.map(({ udpPorts }) => udpPorts), tolerance: 8 },
  { what: 'timers', values: samples.map(({ timers }) => timers), tolerance: 100 },
  { what: 'handles', values: samples.map(({ handles }) => handles), tolerance: 8 },
]);
if (failed > 0) complaints.push(`${failed} calls failed, the first of them so: ${complaint}`);
if (after.sockets > idle.sockets)
  complaints.push(`${after.sockets - idle.sockets} sockets are left after the last call`);
if (after.timers > idle.timers) complaints.push(`${after.timers - idle.timers} timers are left after the last call`);
console.log(`${successful} calls came and went`);
for (const complaint of complaints) console.error(complaint);
console.log(
  JSON.stringify({
    calls: successful,
    failed,
    heap_mb: after.heapMb,
    rss_mb: after.rssMb,
    flat: complaints.length === 0,
  }),
);
process.exit(complaints.length === 0 ? 0 : 1);
