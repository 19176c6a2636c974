export const health = {
  title: 'Health',
  checks: 'Checks',
  version: 'Version',
  checkedAt: 'Checked',
  refresh: 'Check again',
  statuses: { ok: 'Healthy', degraded: 'Degraded', unavailable: 'Unavailable', failed: 'Failed' },
  trunks: { title: 'Trunks', none: 'There is no trunk.', active: 'Active', inactive: 'Inactive' },
};
