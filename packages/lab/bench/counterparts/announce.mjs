/** Listens, and sends the port and the facts to the parent, and whenever the parent asks, the CPU time. */
export async function announce(server, facts = {}) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.send({ port: server.address().port, ...facts });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuSeconds: (user + system) / 1e6 });
  });
  // If the bench is killed, the counterpart exits too. Ctrl-C must not end it before its parent.
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => {});
}
