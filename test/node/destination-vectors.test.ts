/** The same tests as in workerd: destinations are judged by tools in Node, too. */
import '../shared/webhooks/destination/address.test.ts'
import '../shared/webhooks/destination/destination.test.ts'
import '../shared/webhooks/destination/vectors.test.ts'
