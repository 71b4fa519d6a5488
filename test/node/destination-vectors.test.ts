/** The same tests as in workerd: destinations are judged by tools in Node, too. */
import '../shared/destination/address.test.ts'
import '../shared/destination/destination.test.ts'
import '../shared/destination/vectors.test.ts'
