// Operations on operators, groups and tokens, and signing in from a browser.

import { operators } from '../../resources/access/operator.ts'
import { operatorGroups } from '../../resources/access/operator-group.ts'
import { sessions } from '../../resources/access/session.ts'
import { tokens } from '../../resources/access/token.ts'
import { wholeList } from '../../schema/list.ts'
import { bool } from '../../schema/scalar.ts'
import { openIdPath, sessionPath } from '../access-control.ts'
import * as openIdHandlers from '../handlers/access/openid-handlers.ts'
import * as operatorHandlers from '../handlers/access/operator-handlers.ts'
import * as sessionHandlers from '../handlers/access/session-handlers.ts'
import * as tokenHandlers from '../handlers/access/token-handlers.ts'
import { answerList } from '../handlers/list-handlers.ts'
import { listOwn, readOwn } from '../handlers/own-record-handlers.ts'
import { createOne, deleteOne, modifyOne, readOne } from '../handlers/record-handlers.ts'
import { imcShape } from '../imc/imc-records.ts'
import {
  administrator,
  anyone,
  at,
  done,
  located,
  type Operation,
  operator,
  page,
  record,
  viewer,
} from '../operation.ts'

const groups = operatorGroups
const held = tokens.resource
const person = imcShape(operators.resource)
const keepTokens = { meaning: 'With a new password: tokens that were made before stay good', scalar: bool }

/** Everyone sees and changes what is their own; the rest is for administrators. */
export const operatorOperations = [
  ...at(operators.path, 'operator', {
    GET: administrator('List', 'operators', (call) => answerList(call, operators), {
      list: operators.list,
      gives: page(person),
    }),
    POST: administrator('Create', 'an operator', operatorHandlers.createOperator, {
      takes: person,
      gives: located(201),
      scope: 'operators',
    }),
  }),
  ...at(`${operators.path}/{id}`, 'operator', {
    GET: administrator('Read', 'an operator', readOne(operators), { gives: record(person) }),
    PUT: administrator('Modify', 'an operator', operatorHandlers.modifyOperator, {
      parameters: { keepTokens },
      takes: person,
      gives: done,
      scope: 'operators',
    }),
    DELETE: administrator('Delete', 'an operator', operatorHandlers.deleteOperator, {
      alsoAnswers: ['conflict'],
      gives: done,
      scope: 'operators',
    }),
  }),
  ...at(operatorHandlers.namesPath, 'operatorName', {
    GET: operator('List', 'operators by their names', operatorHandlers.listNames, {
      pages: wholeList,
      gives: page(operatorHandlers.operatorNameDocument),
    }),
  }),
  ...at(operatorHandlers.ownPath, 'operator', {
    GET: viewer('ReadSelf', 'the operator who asks', operatorHandlers.readSelf, { gives: record(person) }),
    PUT: viewer('ModifySelf', 'the operator who asks', operatorHandlers.modifySelf, {
      parameters: { keepTokens },
      takes: person,
      gives: done,
      scope: 'operators',
    }),
  }),
  ...at(operatorGroups.path, 'operatorGroup', {
    GET: viewer('List', 'operator groups', (call) => answerList(call, groups), {
      list: groups.list,
      gives: page(groups.resource),
    }),
    POST: administrator('Create', 'an operator group', createOne(groups), {
      takes: groups.resource,
      gives: located(201),
    }),
  }),
  ...at(`${operatorGroups.path}/{id}`, 'operatorGroup', {
    GET: viewer('Read', 'an operator group', readOne(groups), { gives: record(groups.resource) }),
    PUT: administrator('Modify', 'an operator group', modifyOne(groups), {
      takes: groups.resource,
      gives: done,
    }),
    DELETE: administrator('Delete', 'an operator group', deleteOne(groups), { gives: done }),
  }),
  ...at(tokens.path, 'token', {
    GET: viewer('List', 'tokens', listOwn(tokens), { list: tokens.list, gives: page(held) }),
    POST: viewer('Create', 'a token', tokenHandlers.createToken, {
      takes: held,
      alsoAnswers: ['not-found'],
      gives: { 201: { kind: 'record', shape: held, located: true } },
      scope: 'tokens',
    }),
  }),
  ...at(`${tokens.path}/{id}`, 'token', {
    GET: viewer('Read', 'a token', readOwn(tokens), { gives: record(held) }),
    DELETE: viewer('Delete', 'a token', tokenHandlers.deleteToken, { gives: done }),
  }),
]

const sitting = sessions.resource
const { callerDocument, signInDocument } = sessionHandlers

/** Signing in from a browser, and the sessions. */
export const signInOperations = (operations: () => readonly Operation[]): Operation[] => [
  ...at(sessionPath, 'caller', {
    GET: anyone(
      'Read',
      'who asks, by which way, and what that one may do',
      sessionHandlers.showCaller(operations),
      { alsoAnswers: ['not-acceptable', 'internal'], gives: record(callerDocument) },
    ),
    POST: anyone(
      'SignIn',
      'with a name and a password; the cookie of the answer is the session',
      sessionHandlers.signIn(operations),
      {
        takes: signInDocument,
        alsoAnswers: [
          'invalid',
          'unauthorized',
          'not-acceptable',
          'too-large',
          'unsupported-media-type',
          'internal',
        ],
        gives: { 201: { kind: 'record', shape: callerDocument } },
      },
    ),
    DELETE: anyone('SignOut', 'the one who asks', sessionHandlers.signOut, {
      alsoAnswers: ['not-acceptable'],
      gives: done,
    }),
  }),
  ...at(openIdPath, 'openId', {
    POST: anyone(
      'BeginSignIn',
      'at the provider of identities; the answer says where to go',
      openIdHandlers.beginOpenId,
      { alsoAnswers: ['not-acceptable', 'conflict'], gives: record(openIdHandlers.departureDocument) },
    ),
    PUT: anyone(
      'FinishSignIn',
      'with what the provider said; the cookie of the answer is the session',
      openIdHandlers.finishOpenId(operations),
      {
        takes: openIdHandlers.returnDocument,
        alsoAnswers: ['not-acceptable', 'conflict'],
        gives: { 201: { kind: 'record', shape: callerDocument } },
      },
    ),
  }),
  ...at(sessions.path, 'session', {
    GET: viewer('List', 'sessions', listOwn(sessions), {
      list: sessions.list,
      gives: page(sitting),
    }),
  }),
  ...at(`${sessions.path}/{id}`, 'session', {
    GET: viewer('Read', 'a session', readOwn(sessions), { gives: record(sitting) }),
    DELETE: viewer('Delete', 'a session, which ends it', sessionHandlers.deleteSession, { gives: done }),
  }),
]
