import { describe, expect, test } from '@jest/globals'
import { bankFrameOf } from '../src/page/bank-frame.ts'

const api = { apiUrl: 'https://pay.example/below', projectId: 'test-proj_1' }

describe('the frame for a page of the bank', () => {
  test('is at the API, with the way of the action in its address', () => {
    expect(bankFrameOf('https://pay.example/below/three-d-s/iv_1/act_1?a=1&b=2', api)).toBe(
      'https://pay.example/below/js/v1/bank-frame.html?project=test-proj_1#%2Fbelow%2Fthree-d-s%2Fiv_1%2Fact_1%3Fa%3D1%26b%3D2',
    )
  })

  // The customer would look at an empty window until the time of the authentication is over.
  test.each([
    'https://thief.example/below/three-d-s/iv_1/act_1',
    'https://pay.example.thief.example/below/three-d-s/iv_1/act_1',
    'https://pay.example/three-d-s/iv_1/act_1',
    'http://pay.example/below/three-d-s/iv_1/act_1',
    'https://pay.example/below/js/v1/card-form.html',
    'javascript:alert(1)',
    '',
  ])('is none for %j, which is no action of the API', (value) => {
    expect(bankFrameOf(value, api)).toBeNull()
  })
})
