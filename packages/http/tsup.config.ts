import { library } from '../../scripts/tsup-library.ts';

export default library({
  entry: [
    'src/index.ts',
    'src/node.ts',
    'src/express.ts',
    'src/fastify.ts',
    'src/koa.ts',
    'src/hono.ts',
    'src/prometheus.ts',
    'src/types.ts',
  ],
});
