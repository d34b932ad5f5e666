import type { DescribedByRoute } from './described.ts';

const NAME_TAKEN = 'A person or an API user has that name.';
const LAST_ADMIN = 'No admin would be left.';
const ENVIRONMENT_KEY = 'It is the key of the environment: it is changed there.';

/** People, API users, and what they did. */
export const ACCESS: DescribedByRoute = {
  'POST /api/users/': {
    name: 'addUser',
    bodies: {
      picker: {
        summary: 'Somebody who works with devices',
        value: { username: 'Paula', password: 'long enough', role: 'picker' },
      },
    },
    refusals: { 409: NAME_TAKEN },
  },
  'GET /api/users/': { name: 'listUsers' },
  'PATCH /api/users/{username}/': {
    name: 'changeUser',
    parameters: { username: 'Paula' },
    bodies: { out: { summary: 'Signs her out everywhere', value: { end_sessions: true } } },
    refusals: { 404: 'There is no such person.', 409: LAST_ADMIN },
  },
  'DELETE /api/users/{username}/': {
    name: 'removeUser',
    parameters: { username: 'Paula' },
    refusals: { 404: 'There is no such person.', 409: LAST_ADMIN },
  },
  'POST /api/api-users/': {
    name: 'addApiUser',
    bodies: { control: { summary: 'A program that lights devices', value: { name: 'ERP', scope: 'control' } } },
    refusals: { 409: NAME_TAKEN },
  },
  'GET /api/api-users/': { name: 'listApiUsers' },
  'POST /api/oauth/token/': {
    name: 'issueToken',
    bodies: {
      form: {
        summary: 'Id and secret in the form',
        value: { grant_type: 'client_credentials', client_id: 'erp-1', client_secret: 'its secret', scope: 'read' },
      },
    },
    refusals: {
      400: 'The form is not as RFC 6749 wants it: `error` says why.',
      401: 'Client id or secret are wrong.',
    },
  },
  'POST /api/api-users/{id}/rotate/': {
    name: 'rotateApiUser',
    parameters: { id: '2' },
    bodies: { grace: { summary: 'The old key is taken for another hour', value: { grace_seconds: 3_600 } } },
    refusals: { 404: 'There is no such API user.', 409: ENVIRONMENT_KEY },
  },
  'DELETE /api/api-users/{id}/': {
    name: 'removeApiUser',
    parameters: { id: '2' },
    refusals: { 404: 'There is no such API user.', 409: ENVIRONMENT_KEY },
  },
  'GET /api/audit/': { name: 'listAudit', parameters: { limit: 50, after: '1000' } },

  'GET /api/requests/': {
    name: 'listRequests',
    parameters: {
      status: 'failed',
      by: 'ERP',
      path: '/api/device/',
      from: 'programs',
      limit: 100,
      after: '1000',
    },
  },
  'GET /api/requests/{id}/': {
    name: 'getRequest',
    parameters: { id: '1795161600004' },
    refusals: { 404: 'It is not kept, or no longer.' },
  },

  'POST /api/user/login/': {
    name: 'signIn',
    bodies: { admin: { summary: 'The first person', value: { username: 'admin', password: 'harbour street' } } },
    refusals: { 401: 'User name or password are wrong.' },
  },
  'POST /api/user/password/': {
    name: 'changePassword',
    bodies: {
      other: {
        summary: 'Another password',
        value: { old_password: 'harbour street', new_password: 'harbour street 12' },
      },
    },
  },
  'POST /api/user/logout/': { name: 'signOut' },
  'POST /api/setup/': {
    name: 'finishSetup',
    bodies: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
    refusals: { 409: 'There is a password already.' },
  },
  'POST /api/setup/demo/': { name: 'makeDemoShop', refusals: { 409: 'There are racks already.' } },
};
